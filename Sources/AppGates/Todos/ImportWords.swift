import GLibKit
import GateCore
import Gates

extension TodoImport {
  /// What it would bring, in sentences.
  var words: String {
    var sentences: [String] = []
    if new.isEmpty {
      sentences.append(tr("There is nothing new in this file."))
    } else {
      sentences.append(tr("%s todo is new.", "%s todos are new.", count: new.count))
    }
    if present > 0 {
      sentences.append(
        tr("%s is here already and stays as it is.", "%s are here already and stay as they are.", count: present))
    }
    if !unusable.isEmpty {
      sentences.append(tr("%s line cannot be used.", "%s lines cannot be used.", count: unusable.count))
    }
    return sentences.joined(separator: " ")
  }
}

extension FileFault {
  /// Why an import changed nothing, and what to do.
  var notAdded: String { tr("Nothing was added: %s. Put that right, then import again.", words) }
}

extension TodoImport.Unusable.Reason {
  /// What is wrong with a line, and what to do.
  var words: String {
    switch self {
    case .encoding: tr("It is not UTF-8. Save the file as UTF-8 in another program, then import it again.")
    case .tooLong:
      tr("It is longer than %s bytes. Shorten it, then import the file again.", String(TodoImport.lineLimit))
    }
  }
}

extension TodoImportFault {
  /// What happened and what to do.
  var words: String {
    switch self {
    case .file(let fault): tr("The file cannot be read: %s. Put that right, or choose another file.", fault.words)
    case .folder: tr("This is a folder. Choose a file in it.")
    case .notAFile: tr("This is a device or a pipe. Choose a file.")
    case .tooLarge:
      tr("The file is larger than %s MiB. Import it in parts.", String(TodoImport.sizeLimit >> 20))
    case .tooMany: tr("The file has more than %s lines. Import it in parts.", String(TodoImport.countLimit))
    case .notText: tr("This is not a text file. Choose a todo.txt.")
    case .otherEncoding:
      tr("The file is UTF-16. Save it as UTF-8 in another program, then import it again.")
    case .empty: tr("There is no todo in this file. Choose another one.")
    case .cancelled: tr("It was cancelled.")
    }
  }
}
