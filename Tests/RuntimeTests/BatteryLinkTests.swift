import Records
import Ports
import Core
import Testing

@testable import Runtime

private final class Gauge: BatteryPort {
  let name = "battery BAT0"
  var failure: PortError?
  private(set) var readings = 0

  func read() throws(PortError) -> BatteryReading {
    readings += 1
    if let failure { throw failure }
    return BatteryReading(level: 0.5, isSupplied: false)
  }
}

@Suite struct BatteryLinkTests {
  private let gauge = Gauge()

  @Test("the gauge is read at once and then every half hour, and not in between")
  func pace() {
    let link = BatteryLink(gauge, log: LogChannel())
    var now = BootInstant.zero
    for _ in 0..<4 {
      #expect(link.due.map { $0 <= now } == true)
      let served = link.serve(at: now, isReady: false)
      #expect(served.inputs.count == 1 && served.isFruitful)
      #expect(!link.serve(at: now + 1, isReady: true).isFruitful)
      now = now + .minutes(30)
    }
    #expect(gauge.readings == 4)
  }

  @Test("a gauge that cannot be read is reported once, retried, and reported on recovery")
  func failure() {
    let log = LogChannel()
    var said: [String] = []
    log.sink = { event, _ in said.append("\(event.kind): \(event.reason)") }
    let link = BatteryLink(gauge, log: log)
    gauge.failure = PortError("there is no battery")
    var now = BootInstant.zero
    for _ in 0..<5 {
      let served = link.serve(at: now, isReady: false)
      #expect(served.inputs.isEmpty && !served.isFruitful)
      #expect(link.failure == "there is no battery")
      #expect(link.due == now + .minutes(5))
      now = now + .minutes(5)
    }
    gauge.failure = nil
    #expect(link.serve(at: now, isReady: false).inputs.count == 1)
    #expect(link.failure == nil)
    #expect(
      said == [
        "battery-unknown: there is no battery", "battery-read: battery BAT0 can be read again",
      ])
  }
}
