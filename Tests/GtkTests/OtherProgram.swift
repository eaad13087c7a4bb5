import CGtk
import GLibKit
import Glibc
import GtkKit

/// Another program with a window of its own, which takes the keyboard from ours: this same binary, with an argument.
@MainActor
final class OtherProgram {
  static let argument = "--other-program"
  private let child: Object

  /// Starts it; nothing where it could not be started.
  init?() {
    let words = ["/proc/self/exe", OtherProgram.argument]
    var arguments: [UnsafePointer<CChar>?] = words.map { UnsafePointer(g_strdup($0)) }
    arguments.append(nil)
    defer { for argument in arguments { g_free(UnsafeMutableRawPointer(mutating: argument)) } }
    // Its input is a pipe from us: where this process goes, it reads the end of it and goes as well.
    guard let child = g_subprocess_newv(&arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE, nil) else { return nil }
    self.child = Object(owning: UnsafeMutableRawPointer(child))
  }

  /// Ends it, and waits until it has gone.
  func end() {
    g_subprocess_force_exit(child.opaque)
    g_subprocess_wait(child.opaque, nil, nil)
  }

  /// What the other process does: a window, until its input ends.
  static func run() -> Never {
    guard MainLoop.attach(), Stage.set() else { exit(1) }
    let window = Window(Stage.application, title: "Another program")
    window.content = Label("Another program")
    window.present()
    var isOver = false
    let thread = Thread {
      var byte: UInt8 = 0
      while read(0, &byte, 1) > 0 {}
      MainLoop.wake { exit(0) }
    }
    while !isOver { isOver = g_main_context_iteration(nil, 1) < 0 }
    thread.join()
    exit(0)
  }
}
