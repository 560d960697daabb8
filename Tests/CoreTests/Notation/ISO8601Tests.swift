import Core
import Testing

@Suite struct ISO8601Tests {
  @Test(
    "times are read and written",
    arguments: [
      ("2024-05-29T18:41:48Z", "2024-05-29T18:41:48.000Z"),
      ("2024-05-29 18:41:48.1239", "2024-05-29T18:41:48.123Z"),
      ("2024-05-29T20:41:48+02:00", "2024-05-29T18:41:48.000Z"),
      ("2024-05-29T18:41-0530", "2024-05-30T00:11:00.000Z"),
      ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
      ("2024-05-29", "2024-05-29T00:00:00.000Z"),
    ])
  func readsAndWrites(text: String, expected: String) throws {
    #expect(ISO8601.text(try #require(ISO8601.parse(text))) == expected)
  }

  @Test(
    "malformed text is refused",
    arguments: [
      "", "2024", "2024-5-29", "2024-02-30", "2024-05-29T25:00:00Z", "2024-05-29T18:41:48.Z",
      "2024-05-29T18:41:48Zx", "2024-05-29T18:41:48+99:00", "now", "1678-01-01T00:00:00+18:00",
      "2261-12-31T23:59:59-00:01",
    ])
  func refuses(text: String) { #expect(ISO8601.parse(text) == nil) }

  @Test(
    "decimals are written with a fixed number of digits",
    arguments: [
      (0.0, 2, "0.00"), (-0.001, 2, "0.00"), (1.5, 0, "2"), (-1.25, 1, "-1.3"),
      (52.376964500, 7, "52.3769645"), (123456.789, 3, "123456.789"), (0.05, 1, "0.1"),
    ])
  func fixedDecimals(value: Double, digits: Int, expected: String) {
    #expect(FixedDecimal.text(value, digits: digits) == expected)
  }
}
