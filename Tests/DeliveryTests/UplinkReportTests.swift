import Quantities
import Testing

@testable import Delivery

@Suite struct UplinkReportTests {
  private static let start = UTCInstant(seconds: 1_777_593_600)
  private static let failure = UplinkReport.Failure(.brokers, count: 9, why: "refused")

  private static func report(
    oldest: UTCInstant? = start, _ failures: [UplinkReport.Failure] = [failure]
  ) -> UplinkReport {
    UplinkReport(at: start, waiting: 3, oldest: oldest, failures: failures)
  }

  @Test("who has been out of reach for hours has not failed, for more than a day has")
  func patience() {
    #expect(Self.report().failure(at: Self.start + .hours(24)) == nil)
    #expect(
      Self.report().failure(at: Self.start + .hours(25))
        == "what waits since 2026-05-01T00:00:00Z is not handed on: mqtt: refused")
  }

  @Test("nothing has failed where nothing waits, no way is held, or nobody knows the time")
  func nothing() {
    let later = Self.start + .hours(1000)
    #expect(Self.report(oldest: nil).failure(at: later) == nil)
    #expect(Self.report([]).failure(at: later) == nil)
    #expect(Self.report().failure(at: nil) == nil)
  }
}
