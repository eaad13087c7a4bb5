import CGLib

/// How a program that was started came to its end.
public enum SubprocessEnd: Hashable, Sendable {
  /// There is no such program.
  case notFound
  /// It could not be started, for another reason.
  case notStarted
  /// It ended by itself, with a code.
  case exited(Int32)
  /// A signal ended it.
  case killed(Int32)
}

/// Programs run beside ours, without a shell, their standard streams on /dev/null.
public enum Subprocess {
  /// Starts a program, found on PATH unless it has a slash; the arguments include its name.
  ///
  /// Never blocks. `ended` runs once, in a later turn of the main loop, however long it takes; nothing ends the
  /// program for being slow. No descriptor of ours is inherited. Main thread only.
  @MainActor
  public static func run(_ arguments: [String], ended: @escaping @MainActor (SubprocessEnd) -> Void) {
    var argv: [UnsafePointer<CChar>?] = arguments.map { UnsafePointer(g_strdup($0)) }
    argv.append(nil)
    defer { for argument in argv { g_free(UnsafeMutableRawPointer(mutating: argument)) } }
    let flags = GSubprocessFlags(
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE.rawValue | G_SUBPROCESS_FLAGS_STDERR_SILENCE.rawValue)
    do throws(GLibError) {
      guard let child = try GLibError.check({ g_subprocess_newv(&argv, flags, $0) }) else { return }
      wait(for: Object(owning: UnsafeMutableRawPointer(child)), ended)
    } catch {
      let notFound =
        error.matches(g_spawn_error_quark(), Int32(G_SPAWN_ERROR_NOENT.rawValue))
        || error.matches(g_spawn_error_quark(), Int32(G_SPAWN_ERROR_ACCES.rawValue))
      MainLoop.wake { ended(notFound ? .notFound : .notStarted) }
    }
  }

  /// Starts a program as above and hands on what it has printed; nil where it could not be started or failed.
  ///
  /// Never blocks. Main thread only.
  @MainActor
  public static func output(_ arguments: [String], _ body: @escaping @MainActor (String?) -> Void) {
    var argv: [UnsafePointer<CChar>?] = arguments.map { UnsafePointer(g_strdup($0)) }
    argv.append(nil)
    defer { for argument in argv { g_free(UnsafeMutableRawPointer(mutating: argument)) } }
    let flags = GSubprocessFlags(
      G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDERR_SILENCE.rawValue)
    guard let child = g_subprocess_newv(&argv, flags, nil) else { return MainLoop.wake { body(nil) } }
    let box = Unmanaged.passRetained(OutputBox(body)).toOpaque()
    g_subprocess_communicate_utf8_async(
      child, nil, nil,
      { child, result, box in
        nonisolated(unsafe) let (child, result, box) = (OpaquePointer(child), result, box)
        MainActor.assumeIsolated {
          guard let box else { return }
          let waiting = Unmanaged<OutputBox>.fromOpaque(box).takeRetainedValue()
          var text: UnsafeMutablePointer<CChar>?
          let isDone = g_subprocess_communicate_utf8_finish(child, result, &text, nil, nil) != 0
          let isGood = isDone && g_subprocess_get_successful(child) != 0
          waiting.body(isGood ? text.map { String(cString: $0) } : nil)
          g_free(text)
        }
      }, box)
    g_object_unref(UnsafeMutableRawPointer(child))
  }

  @MainActor
  private static func wait(for child: Object, _ ended: @escaping @MainActor (SubprocessEnd) -> Void) {
    let box = Unmanaged.passRetained(ChildBox(child, ended)).toOpaque()
    g_subprocess_wait_async(
      child.opaque, nil,
      { _, result, box in
        nonisolated(unsafe) let (result, box) = (result, box)
        MainActor.assumeIsolated {
          guard let box else { return }
          let waiting = Unmanaged<ChildBox>.fromOpaque(box).takeRetainedValue()
          let child = waiting.child.opaque
          g_subprocess_wait_finish(child, result, nil)
          let exited = g_subprocess_get_if_exited(child) != 0
          waiting.ended(
            exited ? .exited(g_subprocess_get_exit_status(child)) : .killed(g_subprocess_get_term_sig(child)))
        }
      }, box)
  }
}

@MainActor
private final class OutputBox {
  let body: @MainActor (String?) -> Void

  init(_ body: @escaping @MainActor (String?) -> Void) { self.body = body }
}

@MainActor
private final class ChildBox {
  let child: Object
  let ended: @MainActor (SubprocessEnd) -> Void

  init(_ child: Object, _ ended: @escaping @MainActor (SubprocessEnd) -> Void) {
    self.child = child
    self.ended = ended
  }
}
