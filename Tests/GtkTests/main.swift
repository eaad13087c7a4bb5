import GLibKit
import Glibc
import GtkKit

// A program of its own and not a test bundle: GTK wants the process's first thread.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == OtherProgram.argument { OtherProgram.run() }

Warnings.watch()
guard MainLoop.attach() else {
  print("The main loop cannot run MainActor jobs here.")
  exit(1)
}
// Before there is any window, whose own redraws would count as the loop's.
var counts = run([mainLoopTests], arguments)
guard Stage.set() else {
  print("There is no display: run this under Xvfb (make test ONLY=gtk).")
  exit(1)
}
Widget.isCounting = true
let more = run(
  [
    signalTests, slotTests, parkingTests, longListTests, mountTests, secretEntryTests, secretPasteTests,
    errorBoundaryTests,
    recoveryGateTests,
    biometricGateTests, coverTests, lockTurnTests, updateGateTests, onboardingGateTests, consentGateTests,
    authGateTests, reportFormTests, nestingTests, rootViewTests, keptTests, mePageTests, ratingPromptTests,
    activityTests, desktopTests,
    shieldTests,
    leakTests,
  ], arguments)
counts = (counts.passed + more.passed, counts.failed + more.failed)
print("\(counts.passed) passed, \(counts.failed) failed")
exit(counts.failed == 0 && counts.passed > 0 ? 0 : 1)
