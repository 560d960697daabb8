import Ports
import Testing

@testable import Hardware

@Suite struct LineStatisticsTests {
  private func counts(overruns: Int, breaks: Int = 0) -> LineErrors {
    var errors = LineErrors()
    errors.overruns = overruns
    errors.breaks = breaks
    return errors
  }

  @Test("only errors while the line was open here count, over all openings")
  func overAllOpenings() {
    var account = LineStatistics()
    account.open(counts(overruns: 100, breaks: 7))
    #expect(account.total == counts(overruns: 0))
    account.update(counts(overruns: 103, breaks: 7))
    account.update(counts(overruns: 103, breaks: 8))
    #expect(account.total == counts(overruns: 3, breaks: 1))
    account.update(counts(overruns: 104, breaks: 8))
    account.close()
    account.close()
    account.open(counts(overruns: 200, breaks: 8))
    account.update(counts(overruns: 201, breaks: 8))
    #expect(account.total == counts(overruns: 5, breaks: 1))
  }

  @Test("a replugged adapter counts from zero")
  func anotherDriver() {
    var account = LineStatistics()
    account.open(counts(overruns: 5))
    account.update(counts(overruns: 6))
    account.close()
    account.open(counts(overruns: 0))
    account.update(counts(overruns: 2))
    #expect(account.total == counts(overruns: 3))
  }

  @Test("wrapping of the driver's counts is handled")
  func wrap() {
    var account = LineStatistics()
    account.open(counts(overruns: Int(Int32.max)))
    account.update(counts(overruns: Int(Int32.min) + 1))
    #expect(account.total == counts(overruns: 2))
  }

  @Test("without driver counts there are no statistics")
  func noDriver() {
    var account = LineStatistics()
    account.open(nil)
    account.update(nil)
    account.close()
    #expect(account.total == nil)
  }
}
