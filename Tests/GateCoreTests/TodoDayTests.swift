import Foundation
import Testing

@testable import GateCore

struct TodoDayTests {
  @Test(arguments: [
    "2026-13-45", "2026-02-29", "1900-02-29", "2026-04-31", "0000-01-01", "2026-00-10", "2026-01-00", "2026-1-01",
    "2026/01/01", "+026-01-01", "２０２６-01-01", "2026-01-01x", "",
  ])
  func noDay(_ text: String) { #expect(TodoDay(text.utf8) == nil) }

  @Test func everyDayThatFoundationKnows() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    // Each 37th day of 600 years, and its last second.
    for number in stride(from: Int64(-130_000), to: 90_000, by: 37) {
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
      let text = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      let day = try #require(TodoDay(text.utf8))
      #expect(day.start == number * 86_400)
      #expect(TodoDay(number * 86_400 + 86_399) == day)
      #expect(day.text == text)
    }
  }

  @Test func theEndsOfTheCalendar() {
    #expect(TodoDay(.min).text == "0001-01-01")
    #expect(TodoDay(.max).text == "9999-12-31")
    #expect(TodoDay("2024-02-29".utf8)?.text == "2024-02-29")
  }

  @Test func todayIsTheUsersOwn() {
    let clock = Clock(wall: { 86_400 * 3 - 1 }, boot: { 0 }, east: { _ in 3_600 })
    #expect(clock.today.text == "1970-01-04")
    #expect(Clock(wall: { 86_400 * 3 }, boot: { 0 }, east: { _ in -3_600 }).today.text == "1970-01-03")
  }
}
