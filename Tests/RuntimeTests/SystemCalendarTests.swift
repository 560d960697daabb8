import Core
import Testing

@testable import Runtime

@Suite struct SystemCalendarTests {
  private static func date(_ year: Int) throws -> UTCInstant {
    try #require(CivilTime(year: year, month: 1, day: 1).instant)
  }

  @Test(
    "a system's clock that cannot be right is not used",
    arguments: [
      (1970, false), (1990, false), (2025, false), (2026, true), (2036, true), (2065, true),
      (2067, false), (2200, false), (2261, false),
    ])
  func possible(year: Int, isPossible: Bool) throws {
    let floor = try Self.date(2026)
    #expect(SystemCalendar.isPossible(try Self.date(year), notBefore: floor) == isPossible)
  }

  @Test("times at the limits of the range are no date of a system's clock")
  func ends() throws {
    let floor = try Self.date(2026)
    for end in [Int64.min, .max, 0] {
      #expect(!SystemCalendar.isPossible(UTCInstant(nanoseconds: end), notBefore: floor))
    }
  }
}
