// What a report calls each fault: the kinds alone, so that no path and no text of the user's can come along.

extension AppError {
  /// Its kind, as a report names it; a path or detail is never part of that.
  public var kind: String {
    switch self {
    case .preferencesDamaged: "preferencesDamaged"
    case .preferencesUnreadable: "preferencesUnreadable"
    case .preferencesNotSaved: "preferencesNotSaved"
    case .todosUnreadable: "todosUnreadable"
    case .todosNotSaved: "todosNotSaved"
    case .sessionNotRemoved: "sessionNotRemoved"
    case .notErased: "notErased"
    case .unexpected: "unexpected"
    }
  }

  /// Its cause, as a report names it; empty where there is none.
  public var cause: String {
    switch self {
    case .preferencesDamaged, .unexpected: ""
    case .preferencesUnreadable(_, let fault), .preferencesNotSaved(_, let fault), .todosUnreadable(_, let fault),
      .todosNotSaved(let fault):
      fault.name
    case .sessionNotRemoved(let fault): fault.name
    case .notErased(let left): Set(left.map(\.reason.name)).sorted().joined(separator: ", ")
    }
  }
}

extension ErasureFault.Reason {
  /// Its name in a report.
  fileprivate var name: String {
    switch self {
    case .file(let fault): fault.name
    case .link: "link"
    case .mount: "mount"
    }
  }
}

extension FileFault {
  /// Its name in a report.
  fileprivate var name: String {
    switch self {
    case .damaged: "damaged"
    case .empty: "empty"
    case .noPermission: "noPermission"
    case .foreignOwner: "foreignOwner"
    case .readOnly: "readOnly"
    case .noSpace: "noSpace"
    case .missing: "missing"
    case .tooNew: "tooNew"
    case .other(let code): "errno \(code)"
    }
  }
}

extension SessionFault {
  /// Its name in a report.
  fileprivate var name: String {
    switch self {
    case .keyringLocked: "keyringLocked"
    case .keyringRefused: "keyringRefused"
    case .keyringUnavailable: "keyringUnavailable"
    case .timedOut: "timedOut"
    case .secretGone: "secretGone"
    case .file(let fault): "file " + fault.name
    case .cancelled: "cancelled"
    }
  }
}
