import CGLib
import CGtk
import GLibKit

/// Why a field for a secret did not take a text; what was in it before is there still.
public enum SecretRefusal: Sendable {
  /// It would be longer than 511 bytes, which is what PAM takes.
  case tooLong
  /// It has several lines.
  case severalLines
  /// It holds a zero byte or is not UTF-8, so that it is no text.
  case noText
  /// The program that it was copied from did not hand it over in time, or there was nothing to hand over.
  case nothingThere

  /// What is wrong with some bytes by themselves; nothing where a field may take them.
  init?(_ bytes: UnsafeRawBufferPointer) {
    if bytes.contains(0) {
      self = .noText
    } else if bytes.contains(UInt8(ascii: "\n")) || bytes.contains(UInt8(ascii: "\r")) {
      self = .severalLines
    } else if g_utf8_validate(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count), nil) == 0 {
      self = .noText
    } else {
      return nil
    }
  }
}

/// Reads what was copied into locked memory.
///
/// GTK's own paste goes through a C string: what follows a zero byte would be lost without a word, and the text would
/// lie in the heap for whoever looks.
@MainActor
enum SecretPaste {
  /// How long the other program may take, in milliseconds.
  private static let patience: Int64 = 3000

  /// Reads up to so many bytes; the body has them once, in a later turn, for as long as it runs.
  ///
  /// Nothing where there is no text, or the other program does not answer.
  static func read(
    _ clipboard: OpaquePointer, atMost count: Int, _ body: @escaping @MainActor (UnsafeRawBufferPointer?) -> Void
  ) {
    let source = Object(borrowing: UnsafeMutableRawPointer(clipboard))
    guard let memory = LockedMemory(count: count) else { return body(nil) }
    AsyncCall<Stream?>.start(
      atMost: patience,
      { cancellable, ready, box in
        var types: [UnsafePointer<CChar>?] = [UnsafePointer(textType), nil]
        gdk_clipboard_read_async(source.opaque, &types, G_PRIORITY_DEFAULT, cancellable, ready, box)
      },
      finish: { (result) throws(GLibError) in
        Stream(try GLibError.check { gdk_clipboard_read_finish(source.opaque, result, nil, $0) })
      },
      done: { opened in
        guard case .success(let stream?) = opened else { return body(nil) }
        fill(memory, count, from: stream, body)
      })
  }

  private static func fill(
    _ memory: LockedMemory, _ count: Int, from stream: Stream,
    _ body: @escaping @MainActor (UnsafeRawBufferPointer?) -> Void
  ) {
    AsyncCall<Int>.start(
      atMost: patience,
      { cancellable, ready, box in
        g_input_stream_read_all_async(
          stream.raw, memory.bytes.baseAddress, gsize(count), G_PRIORITY_DEFAULT, cancellable, ready, box)
      },
      // Keeps the memory until the read has really ended, be it after the deadline.
      finish: { [memory] (result) throws(GLibError) in
        var length: gsize = 0
        _ = try GLibError.check { g_input_stream_read_all_finish(stream.raw, result, &length, $0) }
        return withExtendedLifetime(memory) { Int(length) }
      },
      done: { length in
        guard case .success(let length) = length else { return body(nil) }
        body(UnsafeRawBufferPointer(rebasing: memory.bytes[..<min(length, count)]))
        memory.wipe()
      })
  }

  private static let textType = g_strdup("text/plain;charset=utf-8")

  /// The stream that the clipboard hands out; our reference to it goes with this.
  private final class Stream: @unchecked Sendable {
    let raw: UnsafeMutablePointer<GInputStream>

    init?(_ raw: UnsafeMutablePointer<GInputStream>?) {
      guard let raw else { return nil }
      self.raw = raw
    }

    deinit { g_object_unref(raw) }
  }
}
