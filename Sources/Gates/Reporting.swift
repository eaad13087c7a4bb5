import GateCore

/// What a form for reports works with; the wiring adds it to the context.
@MainActor
public struct Reporting {
  /// The reports on their way.
  public let reports: ReportController
  private let facts: @MainActor (String) -> ReportFacts

  /// Takes the reports, and the facts about program and computer for the name of the gate on the screen.
  public init(_ reports: ReportController, facts: @escaping @MainActor (String) -> ReportFacts) {
    self.reports = reports
    self.facts = facts
  }

  /// Begins a report without words, while this gate is on the screen.
  func begin(_ subject: ReportSubject, gate: String, at now: Int64) -> Report {
    Report(
      eventID: reports.writer.makeID(), feedbackID: reports.writer.makeID(), madeAt: now, subject: subject,
      facts: facts(gate))
  }
}
