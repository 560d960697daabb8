import Core
import TestSupport
import Testing

@testable import RadioSignals

@Suite struct BeaconStationTests {
  private static let room = try! BeaconRegion("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1")
  private static let next = try! BeaconRegion("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2")

  private static func frame(_ minor: UInt16) -> BeaconFrame {
    BeaconFrame(
      .iBeacon(
        uuid: UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")!, major: 1, minor: minor),
      strengthAtOneMetre: -59)
  }

  private static func at(_ seconds: Double) -> BootInstant { BootInstant.zero + Seconds(seconds) }

  /// A station and its radio: its last commands to the radio, and their results.
  private struct Board {
    var station: BeaconController
    var effects: [BeaconStationEffect] = []
    var wake: BootInstant?
    var isScanning = false

    init(_ change: (inout BeaconSettings) -> Void = { _ in }) {
      var settings = BeaconSettings()
      change(&settings)
      station = BeaconController(settings)
    }

    @discardableResult
    mutating func step(_ event: BeaconStationEvent, at time: Double) -> [BeaconStationEffect] {
      let effects = station.step(event, at: BeaconStationTests.at(time))
      for effect in effects {
        if case .wake(let instant) = effect { wake = instant }
        if case .scan(let isOn) = effect { isScanning = isOn }
      }
      self.effects += effects.filter { if case .wake = $0 { false } else { true } }
      return effects
    }

    /// Wakes the station whenever it is due, and reports the radio's events to it.
    mutating func run(until end: Double) {
      while let due = wake, due <= BeaconStationTests.at(end) {
        let was = isScanning
        step(.timePassed, at: (due - .zero).value)
        if isScanning != was { step(.radio(.listening(isScanning)), at: (due - .zero).value) }
      }
    }
  }

  @Test("the radio rests where no beacon is expected, and is never used without places")
  func rest() {
    var board = Board()
    board.step(.expected(true), at: 0)
    #expect(board.effects.isEmpty && board.wake == nil)
    board.step(.wanted([Self.room]), at: 1)
    #expect(board.effects == [.listen([Self.room]), .scan(true)])
    board.step(.expected(false), at: 1.5)
    #expect(board.effects.suffix(2) == [.listen([]), .scan(false)])
    #expect(board.wake == nil)
  }

  @Test("a received beacon prevents departure, wherever the last location is") func away() {
    var board = Board()
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    board.step(.radio(.listening(true)), at: 0)
    board.step(.radio(.received(Self.frame(1), -60)), at: 1)
    board.step(.expected(false), at: 5)
    board.run(until: 30)
    #expect(board.station.isListening)
    #expect(board.station.inside == [Self.room] && board.station.nearest == Self.room)
    board.effects = []
    board.run(until: 40)
    #expect(board.effects.contains(.left(Self.room, lastReception: Self.at(1))))
    #expect(board.effects.contains(.nearest(nil)))
    #expect(!board.station.isListening && !board.isScanning && board.wake == nil)
  }

  @Test("a radio with monitors scans at first, and causes no wakes while nothing changes")
  func kept() {
    var board = Board()
    board.step(.radio(.monitors(true)), at: 0)
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    #expect(board.effects == [.scan(true)])
    board.run(until: 10)
    #expect(!board.isScanning && board.effects.contains(.listen([Self.room])))
    board.effects = []
    board.step(.radio(.listening(true)), at: 10)
    board.step(.radio(.found(Self.frame(1), -70)), at: 13)
    board.run(until: 40)
    #expect(board.wake == nil && !board.effects.contains(.scan(true)))
    #expect(board.station.inside == [Self.room])
    let left = board.step(.radio(.lost(Self.frame(1).beacon)), at: 7200)
    #expect(left.first == .left(Self.room, lastReception: Self.at(7170)))
  }

  @Test("a radio reset is no departure; a beacon that is not found again afterwards is left")
  func forgotten() {
    var board = Board()
    board.step(.radio(.monitors(true)), at: 0)
    board.step(.wanted([Self.room, Self.next]), at: 0)
    board.step(.expected(true), at: 0)
    board.step(.radio(.listening(true)), at: 0)
    board.step(.radio(.found(Self.frame(1), -70)), at: 3)
    board.step(.radio(.listening(false)), at: 1000)
    board.step(.radio(.listening(true)), at: 1500)
    board.step(.radio(.found(Self.frame(1), -70)), at: 1502)
    board.run(until: 3000)
    #expect(board.station.inside == [Self.room])
    board.step(.radio(.listening(false)), at: 4000)
    board.step(.radio(.listening(true)), at: 4001)
    board.run(until: 5000)
    #expect(board.station.inside.isEmpty)
    #expect(board.effects.contains(.left(Self.room, lastReception: Self.at(4000))))
  }

  @Test("the nearest of several received beacons is reported, and compared now and then")
  func compared() {
    var board = Board()
    board.step(.radio(.monitors(true)), at: 0)
    board.step(.wanted([Self.room, Self.next]), at: 0)
    board.step(.expected(true), at: 0)
    board.step(.radio(.listening(true)), at: 0)
    board.step(.radio(.found(Self.frame(1), -60)), at: 1)
    board.step(.radio(.found(Self.frame(2), -80)), at: 1)
    #expect(board.isScanning && board.station.nearest == Self.room)
    for second in 2...5 {
      board.step(.radio(.received(Self.frame(1), -80)), at: Double(second))
      board.step(.radio(.received(Self.frame(2), -66)), at: Double(second))
    }
    #expect(board.station.nearest == Self.next)
    // 3 dB nearer is not enough to change back.
    for second in 6...9 {
      board.step(.radio(.received(Self.frame(1), -64)), at: Double(second))
      board.step(.radio(.received(Self.frame(2), -66)), at: Double(second))
    }
    #expect(board.station.nearest == Self.next)
    board.run(until: 15)
    #expect(!board.isScanning)
    board.run(until: 40)
    #expect(board.isScanning)
  }

  @Test("the radio scans while a client is watching, and stops afterwards") func watched() {
    var board = Board()
    board.step(.radio(.monitors(true)), at: 0)
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    board.run(until: 10)
    #expect(!board.isScanning && board.wake == nil)
    board.step(.watched(true), at: 11)
    #expect(board.isScanning)
    board.step(.watched(false), at: 12)
    #expect(!board.isScanning && board.wake == nil)
  }

  @Test("a minute after the board has come to rest the radio rests, without any departure")
  func rests() {
    var board = Board()
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    board.step(.radio(.listening(true)), at: 0)
    board.step(.radio(.received(Self.frame(1), -60)), at: 1)
    board.step(.resting(since: Self.at(10), isFelt: false), at: 30)
    board.run(until: 69)
    #expect(board.station.isListening)
    board.step(.radio(.received(Self.frame(1), -60)), at: 69)
    board.run(until: 70)
    #expect(!board.station.isListening && !board.isScanning)
    board.run(until: 9000)
    #expect(board.station.inside == [Self.room] && board.station.nearest == Self.room)
    // The board has moved, and the beacon is no longer received.
    board.step(.resting(since: nil, isFelt: false), at: 9000)
    board.step(.radio(.listening(true)), at: 9000)
    #expect(board.station.isListening)
    board.run(until: 9029)
    #expect(board.station.inside == [Self.room])
    board.run(until: 9034)
    #expect(board.station.inside.isEmpty)
  }

  @Test("a radio with monitors scans while the board moves, and monitors at rest")
  func stirs() {
    var board = Board { $0.rest = .never }
    board.step(.radio(.monitors(true)), at: 0)
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    board.run(until: 10)
    #expect(board.effects.contains(.listen([Self.room])) && !board.isScanning)
    board.step(.resting(since: nil, isFelt: true), at: 100)
    #expect(board.effects.contains(.listen([])) && board.isScanning)
    #expect(board.station.isListening)
    board.step(.resting(since: Self.at(130), isFelt: true), at: 160)
    board.run(until: 189)
    #expect(board.effects.last != .listen([Self.room]))
    board.run(until: 190)
    #expect(board.effects.contains(.listen([Self.room])) && !board.isScanning)
  }

  @Test("a lost beacon is searched for without pauses while the board moves")
  func fades() {
    var board = Board()
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    board.step(.radio(.listening(true)), at: 0)
    board.step(.resting(since: nil, isFelt: true), at: 0)
    board.step(.radio(.received(Self.frame(1), -60)), at: 1)
    board.run(until: 9)
    board.effects = []
    board.run(until: 30)
    #expect(board.isScanning && board.station.isListening)
    #expect(!board.effects.contains { if case .scan = $0 { true } else { false } })
    board.run(until: 36)
    #expect(board.station.inside.isEmpty && board.effects.contains(.scan(false)))
  }

  @Test("a candidate beacon is scanned for without pauses for 5 s while the board moves")
  func approaches() {
    var board = Board()
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    board.step(.radio(.listening(true)), at: 0)
    board.step(.resting(since: nil, isFelt: true), at: 0)
    board.step(.radio(.received(Self.frame(1), -86)), at: 1)
    board.effects = []
    board.run(until: 5.9)
    #expect(board.isScanning && board.effects.isEmpty && board.station.inside.isEmpty)
    board.run(until: 9)
    #expect(!board.isScanning)
    // A weaker beacon does not count.
    board.run(until: 11)
    #expect(board.isScanning)
    board.step(.radio(.received(Self.frame(1), -88)), at: 11)
    board.run(until: 13)
    #expect(!board.isScanning)
  }

  @Test("a beacon first expected at rest is scanned for during one minute")
  func late() {
    var board = Board()
    board.step(.wanted([Self.room]), at: 0)
    board.step(.resting(since: Self.at(0), isFelt: false), at: 30)
    board.step(.expected(true), at: 5000)
    board.run(until: 5059)
    #expect(board.station.isListening)
    board.run(until: 5060)
    #expect(!board.station.isListening)
  }

  @Test("a radio set to scan at rest continues to scan") func restless() {
    var board = Board { $0.rest = .never }
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    board.step(.resting(since: Self.at(0), isFelt: false), at: 30)
    board.run(until: 5000)
    #expect(board.station.isListening)
  }

  @Test("a silent radio is reset once, again later, and its recovery is reported")
  func hangs() {
    var board = Board { $0.pause = 0 }
    board.step(.wanted([Self.room]), at: 0)
    board.step(.expected(true), at: 0)
    board.step(.radio(.listening(true)), at: 0)
    board.step(.radio(.otherDevice), at: 10)
    board.step(.timePassed, at: 309)
    #expect(!board.effects.contains { if case .restart = $0 { true } else { false } })
    board.step(.timePassed, at: 310)
    #expect(board.effects.last == .restart(afterSilence: 300))
    board.step(.radio(.restarted), at: 315)
    board.step(.timePassed, at: 900)
    #expect(board.effects.count { if case .restart = $0 { true } else { false } } == 1)
    board.step(.radio(.received(Self.frame(1), -60)), at: 901)
    #expect(board.effects.contains(.recovered))
  }

  @Test("the same events have the same effects, and no unexpected place is entered")
  func steps() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SplitMix(seed: seed)
      var one = BeaconController(BeaconSettings())
      var other = BeaconController(BeaconSettings())
      var time = 0.0
      var isSame = true
      var isResting = false
      var wake: BootInstant?
      for _ in 0..<300 {
        time += Double(random.next() % 40_000) / 1000
        let event = Self.event(&random)
        let effects = one.step(event, at: Self.at(time))
        for case .wake(let instant) in effects {
          wake = instant
          // The wake time is in the future even if the event arrives late.
          if let instant { #expect(instant >= Self.at(time), "seed \(seed)") }
        }
        // A wake must not schedule another wake for the same instant, or the loop would never end.
        if case .timePassed = event, let wake { #expect(wake > Self.at(time), "seed \(seed)") }
        isSame = isSame && effects == other.step(event, at: Self.at(time))
        if case .resting(let since, _) = event { isResting = since != nil }
        if !one.isListening, !isResting { #expect(one.inside.isEmpty && one.nearest == nil) }
      }
      #expect(isSame, "seed \(seed)")
    }
  }

  private static func event(_ random: inout SplitMix) -> BeaconStationEvent {
    let frame = frame(UInt16(random.next() % 3))
    let strength = DecibelMilliwatts(-Double(random.next() % 130))
    switch random.next() % 13 {
    case 0: return .wanted(random.next() % 4 == 0 ? [] : [room, next])
    case 1: return .expected(random.next() % 4 != 0)
    case 2: return .watched(random.next() % 2 == 0)
    case 3: return .radio(.listening(random.next() % 3 != 0))
    case 4: return .radio(.monitors(random.next() % 2 == 0))
    case 5: return .radio(.found(frame, strength))
    case 6: return .radio(.lost(frame.beacon))
    case 7: return .radio(.restarted)
    case 8: return .radio(.otherDevice)
    case 9: return .timePassed
    case 10:
      let since = random.next() % 2 == 0 ? at(Double(random.next() % 5000)) : nil
      return .resting(since: since, isFelt: random.next() % 2 == 0)
    default: return .radio(.received(frame, strength))
    }
  }
}
