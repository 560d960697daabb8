import GNSS
import Core
import TestSupport
import Testing

/// With any requests and events in any order, no pin of a dead module is driven, nothing spins, and
/// every request completes.
@Suite struct SequencerPropertyTests {
  static let wirings: [PowerWiring] = [
    PowerSequencerTests.full, PowerSequencerTests.supplyOnly,
    PowerWiring(
      mechanism: .lines, lines: [.supply, .uart], settle: 0, hasBackupSupply: false,
      family: .ubloxM8),
    PowerWiring(
      mechanism: .lines, lines: [.supply, .uart, .reset], settle: 1, hasBackupSupply: false,
      navigationBackup: .host, family: .ubloxM10),
    PowerWiring(mechanism: .lines, lines: [.supply, .wake], settle: 0.5, family: .airoha),
    PowerWiring(mechanism: .lines, lines: [.supply], settle: 0.5, hasBackupSupply: false),
    PowerWiring(mechanism: .command, family: .casic), PowerWiring(mechanism: .command),
    PowerWiring(mechanism: .deviceOpens, family: .ubloxM8), PowerWiring(mechanism: .none),
  ]

  static let answers: [ReceiverAnswer] = [
    .ubxAcknowledgement(
      UBXAcknowledgement(isAccepted: false, messageClass: 0x02, messageID: 0x41)),
    .mtkAcknowledgement(MTKAcknowledgement(command: 161, result: .unsupported)),
    .pairAcknowledgement(PAIRAcknowledgement(command: 650, result: .failed)),
    .navigationDataBackup(.saved), .navigationDataBackup(.notSaved),
    .navigationDataBackup(.restored), .mtkStartup(1), .gpsdError("no"),
    .pairAcknowledgement(PAIRAcknowledgement(command: 6, result: .busy)),
    .notice("SW=URANUS5,V5.1.0.0"),
  ]

  private func event(_ random: inout SplitMix, at now: BootInstant) -> PowerEvent {
    switch random.next() % 16 {
    case 0, 1: .request(.on, until: nil)
    case 2: .request(.off, until: now + 600)
    case 3: .request(.off, until: nil)
    case 4: .request(.sleep, until: now + 600)
    case 5: .request(.sleep, until: nil)
    case 6: .received(validFrames: 2)
    case 7: .received(validFrames: 2, lacksSignals: true)
    case 8: .received(validFrames: 0)
    case 9: .answer(Self.answers[Int(random.next() % UInt64(Self.answers.count))])
    case 10: random.next() % 4 == 0 ? .unsent(reason: "x") : .restart(.cold)
    case 11: .timePassed
    case 14: .listening(false)
    case 15: .listening(true)
    case 12:
      .assist(
        AssistanceData(
          taken: now, time: UTCInstant(seconds: 1_780_000_000), timeAccuracy: 1,
          position: Coordinate(latitude: 52, longitude: 5), positionAccuracy: 100))
    default: .lineFailed(.supply, reason: "gone")
    }
  }

  @Test("no pin of an unpowered module is driven", arguments: 0..<10)
  func noPinOfADeadModuleIsDriven(wiring: Int) {
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix(seed: seed &* 977 &+ UInt64(wiring))
      var bench = Bench(Self.wirings[wiring])
      for _ in 0..<60 {
        bench.step(event(&random, at: bench.now))
        bench.pass(Seconds(Double(random.next() % 120) / 10))
      }
      let isObedient = random.next() % 2 == 0
      _ = bench.take()
      bench.want(.off)
      bench.step(.listening(true))
      bench.pass(120, whileSpeaking: !isObedient)
      #expect(bench.violations == [], "wiring \(wiring), seed \(seed)")
      // A sleep with an end is renewed then.
      let isOver = bench.sequencer.due == nil || bench.sequencer.receiver == .asleep
      #expect(isOver, "wiring \(wiring), seed \(seed): something is still due")
      let ends = bench.take().filter { $0.contains("reached") || $0.contains("failed") }
      #expect(ends.count == 1, "wiring \(wiring), seed \(seed): \(ends)")
      #expect(!bench.isOpen, "wiring \(wiring), seed \(seed)")
      if bench.levels.keys.contains(.supply) { #expect(bench.levels[.supply] == false) }
    }
  }

  /// At any point, the daemon's end takes one step and leaves the supply off.
  @Test("the daemon can end at any time", arguments: 0..<10)
  func theDaemonCanEndAnyTime(wiring: Int) {
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix(seed: seed &* 31 &+ UInt64(wiring))
      var bench = Bench(Self.wirings[wiring])
      for _ in 0..<random.next() % 40 {
        bench.step(event(&random, at: bench.now))
        bench.pass(Seconds(Double(random.next() % 50) / 10))
      }
      bench.step(.leave)
      #expect(!bench.isOpen && bench.sequencer.due == nil && bench.violations == [], "seed \(seed)")
      if Self.wirings[wiring].lines.contains(.supply) { #expect(bench.levels[.supply] == false) }
    }
  }
}
