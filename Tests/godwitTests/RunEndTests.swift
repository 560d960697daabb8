import Ports
import Testing

@testable import Runtime
@testable import godwit

@Suite struct RunEndTests {
  private func health(waiting: Int = 0, dropped: Int = 0, failure: String? = nil) -> StoreHealth {
    StoreHealth(waiting: waiting, dropped: dropped, failure: failure)
  }

  @Test("when everything is stored and closed nothing is reported") func well() {
    let end = RunEnd(health(), closing: nil)
    #expect(end.failure == nil && end.earlierLoss == nil)
    // Nothing waits for the last failure.
    #expect(RunEnd(health(failure: "disk full"), closing: nil).failure == nil)
  }

  @Test("the losses of a past outage are reported, and the end is orderly") func outage() throws {
    let end = RunEnd(health(dropped: 4000), closing: nil)
    #expect(end.failure == nil)
    let logEvent = try #require(end.earlierLoss)
    #expect(
      logEvent.kind == "records-lost" && logEvent.reason.hasPrefix("4000 records of this run"))
    #expect(logEvent.level == .warning)
  }

  @Test("unstored records are reported with all earlier losses") func unstored() {
    let end = RunEnd(health(waiting: 3, dropped: 7, failure: "disk full"), closing: nil)
    #expect(
      end.failure == "3 records could not be stored and are lost, and 7 before them: disk full")
    #expect(end.earlierLoss == nil, "it is told once")
  }

  @Test("a store that cannot be closed is a failure") func closing() {
    let end = RunEnd(health(), closing: .full("disk full"))
    #expect(end.failure == "the store could not be closed: disk full")
  }

  @Test("the reason for unstored records and an open store is reported once") func sameReason() {
    let lost = "3 records could not be stored and are lost: locked"
    let one = RunEnd(health(waiting: 3, failure: "locked"), closing: .busy("locked"))
    #expect(one.failure == lost)
    let two = RunEnd(health(waiting: 3, failure: "locked"), closing: .full("disk full"))
    #expect(two.failure == "the store could not be closed: disk full\n" + lost)
  }
}
