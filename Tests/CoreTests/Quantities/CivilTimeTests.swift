import Core
import Testing

@Suite struct CivilTimeTests {
  @Test(
    "days since the epoch are right",
    arguments: [
      (1970, 1, 1, 0), (2000, 2, 29, 11_016), (2024, 12, 31, 20_088), (1969, 12, 31, -1),
      (2100, 3, 1, 47_541),
    ])
  func daysSinceEpoch(year: Int, month: Int, day: Int, days: Int) {
    #expect(CivilTime.daysSinceEpoch(year: year, month: month, day: day) == days)
  }

  @Test("every hour of two centuries converts back and forth")
  func everyHourOfTwoCenturiesComesBack() throws {
    var seconds: Int64 = -3_155_673_600  // 1870-01-01
    while seconds < 7_258_118_400 {  // 2200-01-01
      let instant = UTCInstant(nanoseconds: seconds * 1_000_000_000 + 123_456_789)
      let civil = CivilTime(instant)
      #expect(civil.isValid)
      #expect(civil.instant == instant)
      seconds += 86_400 * 13 + 3600
    }
  }

  @Test("a leap second is the first second of the next minute")
  func leapSecondFoldsIntoTheNextMinute() {
    let leap = CivilTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60)
    #expect(leap.instant == CivilTime(year: 2017, month: 1, day: 1).instant)
  }

  @Test(
    "dates that do not exist are refused",
    arguments: [(2023, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 4, 31), (1500, 1, 1)])
  func datesThatDoNotExist(year: Int, month: Int, day: Int) {
    #expect(CivilTime(year: year, month: month, day: day).instant == nil)
  }
}
