import Ports
import Core
import Records
import Testing

@testable import Runtime

/// When the uplink is notified of new records.
@Suite struct UplinkCallTests {
  private final class Uplink: UplinkCallPort {
    let name = "an uplink"
    var calls: Int { news.count }
    private(set) var news: [UplinkNotification] = []
    var failure: PortError?

    func notify(_ news: UplinkNotification) throws(PortError) {
      self.news.append(news)
      if let failure { throw failure }
    }
  }

  private final class World {
    var now = BootInstant.boot(100)
    var log: [String] = []
  }

  private let uplink = Uplink()
  private let world = World()

  private func call(delay: Seconds = 900, alertDelay: Seconds = 5) -> UplinkCall {
    UplinkCall(
      uplink, UplinkDelays(usual: delay, alert: alertDelay), clock: { [world] in world.now },
      onLog: { [world] in world.log.append($0.kind) })
  }

  private static let point = Record.trackPoint(
    TrackPoint(
      location: Location(
        time: UTCInstant(seconds: 1_777_593_600),
        position: Coordinate(latitude: 52, longitude: 5), accuracy: 5, speed: nil, track: nil,
        altitude: nil, source: .gnss), reason: .scheduled))
  private static let crossing = Record.crossing(
    Crossing(
      id: 1, .entered, time: UTCInstant(seconds: 1_777_593_600),
      latest: UTCInstant(seconds: 1_777_593_600), place: ("u", "Home", 1),
      position: Coordinate(latitude: 52, longitude: 5), accuracy: 5, distance: 1,
      probabilityInside: 0.9))

  @Test("later records wait no longer than the first one") func first() {
    let call = call()
    call.stored([Self.point])
    world.now = .boot(500)
    call.stored([Self.point])
    #expect(call.due == .boot(1000))
    _ = call.serve(at: .boot(999), isReady: false)
    #expect(uplink.calls == 0)
    _ = call.serve(at: .boot(1000), isReady: false)
    #expect(uplink.calls == 1 && call.due == nil)
  }

  @Test("positions are sent while it moves, though nothing is recorded", arguments: [0, 900.0])
  func straight(delay: Double) {
    let call = call(delay: Seconds(delay))
    let pause = max(delay, 60)
    func located(_ north: Double, at seconds: Double) {
      let position = Coordinate(latitude: Degrees(52 + north / 111_195), longitude: 5)
      let location = Location(
        time: UTCInstant(seconds: 1_777_593_600 + seconds), position: position, accuracy: 5,
        speed: nil, track: nil, altitude: nil, source: .gnss)
      call.located(location, at: .boot(seconds))
    }
    for second in 0..<100 { located(Double(second % 7) * 15, at: Double(second)) }
    #expect(call.due == nil, "it stands")
    for second in 0..<30 { located(Double(second) * 20, at: 100 + Double(second)) }
    #expect(call.due == .boot(106 + pause))
    _ = call.serve(at: .boot(106 + pause), isReady: false)
    #expect(uplink.calls == 1 && call.due == nil)
    located(600, at: 200 + pause)
    #expect(call.due == nil, "nothing is new")
    located(800, at: 201 + pause)
    #expect(call.due == .boot(201 + 2 * pause))
  }

  @Test("a crossing is sent earlier, never later than the rest") func alerts() {
    let call = call()
    call.stored([Self.point])
    call.stored([Self.crossing])
    #expect(call.due == .boot(105))
    let other = self.call(delay: 1, alertDelay: 60)
    other.stored([Self.crossing])
    #expect(other.due == .boot(101))
  }

  @Test("the delay counts from a record's creation, and a call waits until it is durable")
  func recorded() {
    let call = call()
    _ = call.received(Self.point, at: .boot(100))
    #expect(call.due == nil, "the uplink would find nothing")
    world.now = .boot(700)
    call.stored([Self.point])
    #expect(call.due == .boot(1000))
    _ = call.serve(at: .boot(1000), isReady: false)
    // The store was unavailable for long: what it accepts now is already late.
    _ = call.received(Self.point, at: .boot(1100))
    world.now = .boot(9000)
    call.stored([Self.point])
    #expect(call.due == .boot(2000))
  }

  @Test("records without a recipient cause no wake") func state() {
    let call = call()
    call.stored([.trackerState("{}"), .provenance("{}")])
    #expect(call.due == nil)
  }

  @Test("a persistent uplink is notified of new settings until it is reached")
  func settings() {
    let call = call(delay: 0)
    call.settingsRead()
    #expect(call.due == world.now)
    uplink.failure = PortError("no such file")
    _ = call.serve(at: world.now, isReady: false)
    uplink.failure = nil
    for _ in 0..<2 {
      call.stored([Self.point])
      _ = call.serve(at: world.now, isReady: false)
    }
    #expect(uplink.news == [.settings, .settings, .records])
    call.settingsRead()
    uplink.failure = PortError("no such file")
    for pause in [30.0, 60, 120] {
      _ = call.serve(at: world.now, isReady: false)
      #expect(call.due == world.now + Seconds(pause), "a board at rest records nothing for hours")
      world.now = world.now + Seconds(pause)
    }
    let other = self.call(delay: 1)
    other.settingsRead()
    #expect(other.due == nil, "its next run reads them")
  }

  @Test("an absent uplink is logged once, and called again with the next records")
  func absent() {
    let call = call()
    uplink.failure = PortError("no such file")
    for _ in 0..<3 {
      call.stored([Self.point])
      _ = call.serve(at: .boot(2000), isReady: false)
    }
    #expect(uplink.calls == 3)
    #expect(world.log == ["uplink-not-called"])
  }
}
