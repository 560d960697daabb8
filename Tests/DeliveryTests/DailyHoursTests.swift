import Core
import Testing

@testable import Delivery

@Suite struct DailyHoursTests {
  private static func contains(_ text: String, _ hour: Double) throws -> Bool {
    let hours = try #require(DailyHours(text))
    return hours.contains(UTCInstant(seconds: 1_777_593_600 + hour * 3600), in: .utc)
  }

  @Test("a part of the day, also across midnight") func parts() throws {
    #expect(
      try [7.9, 8, 17.9, 18].map { try Self.contains("08:00-18:00", $0) }
        == [false, true, true, false])
    #expect(
      try [21.9, 22, 23.9, 0, 5.9, 6].map { try Self.contains("22:00-06:00", $0) }
        == [false, true, true, true, true, false])
    #expect(try [0, 12, 23.9].map { try Self.contains("00:00-24:00", $0) } == [true, true, true])
  }

  @Test(
    "an invalid part of a day is refused",
    arguments: [
      "", "8-18", "08:00", "08:00-08:00", "24:00-06:00", "08:00-00:00", "08:60-18:00",
      "08:00-25:00", "08:00-18:00-20:00", "08.00-18.00", "०८:00-18:00",
    ])
  func none(text: String) { #expect(DailyHours(text) == nil) }
}
