import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Any events of an alert engine.
@Suite struct AlertPropertyTests {
  private static func alerts() throws -> [Alert] {
    let evening = try AlertBench.daily("2100", minutes: 30)
    return [
      Alert(id: 1, name: "1", .enter(.all)), Alert(id: 2, name: "2", .leave(.all), accuracy: 20),
      Alert(id: 3, name: "3", .dwell(.all, 300)), Alert(id: 4, name: "4", .near(.all, 200)),
      Alert(id: 5, name: "5", .notThereBy(.all), schedule: evening),
      Alert(id: 6, name: "6", .notBackBy(.all), schedule: evening),
      Alert(id: 7, name: "7", .moved(Guard(radius: 50, isArmed: true)), isOnce: true),
      Alert(id: 8, name: "8", .anchor(Guard(radius: 40, arming: .schedule)), schedule: evening),
      Alert(id: 9, name: "9", .outside(.all)),
      Alert(id: 10, name: "10", .moved(Guard(radius: 50, arming: .ignition))),
    ]
  }

  private static func event(_ chance: inout SplitMix, _ now: Double) throws -> AlertEvent {
    switch Int.random(in: 0..<12, using: &chance) {
    case 0: return .places(.presence(.searchFailed))
    case 1: return .places(.presence(.resting(since: .boot(now - 10))))
    case 2: return .places(.presence(.moving(since: .boot(now))))
    case 3: return .sensing(.random(using: &chance))
    case 4: return .ignition(isOn: .random(using: &chance))
    case 5: return .shaken
    case 6: return .timePassed
    case 7: return .places(.still(since: Bool.random(using: &chance) ? .boot(now - 60) : nil))
    case 8: return .alerts(try alerts().filter { _ in Int.random(in: 0..<9, using: &chance) > 0 })
    default:
      let odd = Int.random(in: 0..<20, using: &chance)
      let distance = Metres(.random(in: 0...600, using: &chance))
      var position = AlertBench.position(distance)
      if odd == 0 { position = Coordinate(latitude: Degrees(.nan), longitude: 5) }
      let accuracies: [Metres] = [0, 3, 10, 80, 1e7, Metres(.nan)]
      return .places(
        .presence(
          .located(
            Location(
              time: AlertBench.date + Seconds(now), position: position,
              accuracy: accuracies.randomElement(using: &chance) ?? 5))))
    }
  }

  private static func run(_ seed: UInt64) throws -> AlertBench {
    var chance = SplitMix(seed: seed)
    var bench = AlertBench([AlertBench.place("home")], try alerts())
    var now = 0.0
    for _ in 0..<400 {
      now += .random(in: 0...600, using: &chance)
      if Int.random(in: 0..<50, using: &chance) == 0 {
        bench.dateAtStart = Bool.random(using: &chance) ? nil : AlertBench.date
      }
      bench.step(try event(&chance, now), at: now)
    }
    return bench
  }

  @Test(
    "the same events have the same effects, and no wake-up is in the past",
    arguments: 1...20 as ClosedRange<UInt64>)
  func same(seed: UInt64) throws {
    let bench = try Self.run(seed)
    let again = try Self.run(seed)
    #expect(bench.raised.map(\.text) == again.raised.map(\.text))
    #expect(bench.engine.snapshot == again.engine.snapshot)
    #expect(bench.wake.map { $0.seconds > bench.now } ?? true)
    #expect(bench.engine.snapshot.utf8.count < 10_000)
  }

  @Test(
    "a snapshot is restored unchanged, and a damaged one still starts an engine",
    arguments: 1...20 as ClosedRange<UInt64>)
  func snapshots(seed: UInt64) throws {
    let text = try Self.run(seed).engine.snapshot
    #expect(AlertMemory(text).text == text)
    var chance = SplitMix(seed: seed)
    for _ in 0..<200 {
      var bytes = Array(text.utf8)
      for _ in 0..<3 where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &chance)
        bytes[index] = UInt8.random(in: 0x20...0x7E, using: &chance)
      }
      var bench = AlertBench(
        [AlertBench.place("home")], try Self.alerts(),
        restoring: String(decoding: bytes, as: UTF8.self))
      bench.stand(0, from: 10)
      #expect(bench.engine.around.count == 1)
    }
  }
}
