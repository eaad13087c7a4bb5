import Gates
import GtkKit

/// The whole launch, read from the outside in.
///
/// Moving or removing a line here reorders or removes a gate.
public struct RootView: Screen {
  /// Makes the nesting; nothing is built until it is mounted.
  public init() {}

  /// The gates, and the main shell behind them.
  public var body: any Screen {
    ErrorBoundary {
      RecoveryGate {
        BiometricGate {
          SafeModeGate {
            UpdateGate {
              OnboardingGate {
                ConsentGate {
                  AuthGate {
                    MainShell()
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// Mounts the outermost gate.
  public func mount(in context: GateContext) -> Mount { body.mount(in: context) }

  /// The gates' names, outermost first.
  public var outline: [String] { body.outline }
}
