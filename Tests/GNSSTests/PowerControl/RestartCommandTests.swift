import GNSS
import Core
import Testing

/// Restart commands: sent byte for byte, and confirmed or refused by the receiver's answer.
@Suite struct RestartCommandTests {
  private func wiring(_ family: ReceiverFamily?, isRelayed: Bool = false) -> PowerWiring {
    PowerWiring(
      mechanism: .lines, lines: [.supply], settle: 0, sleepCommand: .none, family: family,
      mayAsk: !isRelayed)
  }

  private func lines(_ bench: inout Bench) -> [String] {
    bench.take().map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  @Test(
    "each family has its own commands",
    arguments: [
      (
        ReceiverFamily.ubloxM8, "b5620604040000000200", "b5620604040001000200", "b56206040400ffff02"
      ),
      (.ublox6, "b5620604040000000200", "b5620604040001000200", "b56206040400ffff02"),
      (.ubloxM10, "b5620604040000000200", "b5620604040001000200", "b56206040400ffff02"),
      (.mediatek, "$PMTK101*32", "$PMTK102*31", "$PMTK103*30"),
      (.airoha, "$PAIR004*3E", "$PAIR005*3F", "$PAIR006*3C"),
      (.casic, "$PCAS10,0*1C", "$PCAS10,1*1D", "$PCAS10,2*1E"),
    ])
  func bytes(family: ReceiverFamily, hot: String, warm: String, cold: String) {
    var bench = Bench.running(wiring(family))
    for (kind, bytes) in [(RestartKind.hot, hot), (.warm, warm), (.cold, cold)] {
      #expect(bench.sequencer.objection(to: kind) == nil)
      bench.step(.restart(kind))
      let told = lines(&bench)
      #expect(told.count == 1 && told[0].hasPrefix("send " + bytes), "\(told)")
      #expect(bench.sequencer.restartCommand?.kind == kind)
    }
  }

  @Test(
    "a family that does not acknowledge is not waited for",
    arguments: [ReceiverFamily.ubloxM8, .casic])
  func silentFamily(family: ReceiverFamily) {
    var bench = Bench.running(wiring(family))
    bench.step(.restart(.cold))
    #expect(bench.sequencer.restartCommand?.outcome == .sent)
    bench.pass(10, whileSpeaking: true)
    #expect(bench.sequencer.restartCommand?.outcome == .sent)
    #expect(bench.sequencer.restartCommand?.failure == nil)
  }

  @Test(
    "the timeout for an acknowledgement is three seconds",
    arguments: [ReceiverFamily.airoha, .mediatek])
  func unanswered(family: ReceiverFamily) {
    var bench = Bench.running(wiring(family))
    bench.step(.restart(.warm))
    let due = bench.now + 3
    #expect(bench.sequencer.restartCommand?.outcome == .awaited(until: due))
    #expect(bench.sequencer.due == due)
    _ = bench.take()
    bench.pass(2.9, whileSpeaking: true)
    #expect(bench.take() == [])
    bench.pass(1, whileSpeaking: true)
    #expect(bench.sequencer.restartCommand?.outcome == .unanswered)
    #expect(lines(&bench).filter { $0.hasPrefix("not restarted") }.count == 1)
  }

  @Test("an answer in time ends the wait") func accepted() {
    var bench = Bench.running(wiring(.mediatek))
    bench.step(.restart(.cold))
    _ = bench.take()
    bench.pass(1)
    bench.step(.answer(.mtkStartup(1)))
    #expect(bench.sequencer.restartCommand?.outcome == .accepted)
    bench.pass(10, whileSpeaking: true)
    #expect(bench.take() == [] && bench.sequencer.restartCommand?.failure == nil)
  }

  @Test("a refusal is reported once, and only while it can refer to the command") func refused() {
    let nak = ReceiverAnswer.ubxAcknowledgement(
      UBXAcknowledgement(isAccepted: false, messageClass: 0x06, messageID: 0x04))
    var bench = Bench.running(wiring(.ubloxM9))
    bench.step(.restart(.hot))
    _ = bench.take()
    bench.step(.answer(nak))
    bench.step(.answer(nak))
    #expect(
      lines(&bench) == ["not restarted: the receiver was not restarted: UBX-ACK-NAK"])
    #expect(bench.sequencer.restartCommand?.outcome == .refused("UBX-ACK-NAK"))
    bench.step(.restart(.hot))
    bench.pass(5, whileSpeaking: true)
    _ = bench.take()
    bench.step(.answer(nak))
    #expect(bench.take() == [] && bench.sequencer.restartCommand?.outcome == .sent)
  }

  /// gpsd does not pass on the receiver's acknowledgement, and itself reports refused bytes.
  @Test("behind gpsd no acknowledgement is awaited, and gpsd's refusal counts") func relayed() {
    var bench = Bench.running(wiring(.airoha, isRelayed: true))
    bench.step(.restart(.cold))
    #expect(bench.sequencer.restartCommand?.outcome == .sent)
    bench.step(.answer(.gpsdError("Can't perform DEVICE configuration")))
    #expect(bench.sequencer.restartCommand?.failure?.contains("gpsd reports") == true)
  }

  @Test("a command that was not sent is refused at once, and later answers are ignored")
  func unsent() {
    var bench = Bench.running(wiring(.ubloxM8))
    bench.step(.unsent(reason: "before any"))
    bench.step(.restart(.cold))
    bench.step(.unsent(reason: "the line is gone"))
    #expect(bench.sequencer.restartCommand?.outcome == .refused("the line is gone"))
    bench.step(.restart(.cold))
    bench.pass(1)
    bench.step(.unsent(reason: "another command"))
    #expect(bench.sequencer.restartCommand?.outcome == .sent)
  }

  @Test("a receiver that is switched off meanwhile has not answered") func cut() {
    var bench = Bench.running(wiring(.airoha))
    bench.step(.restart(.cold))
    bench.want(.off)
    bench.pass(60)
    #expect(bench.sequencer.due == nil)
    bench.want(.on)
    #expect(bench.sequencer.restartCommand?.outcome == .unanswered)
  }

  /// Every state on the way up and down.
  @Test("the command is sent only while the receiver accepts commands") func states() {
    var wiring = wiring(.mediatek)
    wiring.sleepCommand = .auto
    wiring.settle = 1
    var bench = Bench(wiring)
    func objection() -> String { bench.sequencer.objection(to: .cold) ?? "" }
    #expect(objection().contains("does not accept commands"))
    bench.want(.on)
    #expect(bench.sequencer.receiver == .settling && !objection().isEmpty)
    bench.pass(1)
    #expect(bench.sequencer.receiver == .starting && !objection().isEmpty)
    bench.pass(2, whileSpeaking: true)
    #expect(bench.sequencer.receiver == .on && objection().isEmpty)
    bench.want(.sleep)
    #expect(bench.sequencer.receiver == .fallingAsleep && !objection().isEmpty)
    bench.pass(20)
    #expect(bench.sequencer.receiver == .asleep && !objection().isEmpty)
    bench.want(.off)
    #expect(bench.sequencer.receiver == .off && !objection().isEmpty)
  }

  @Test(
    "the reason why a receiver cannot be commanded is reported",
    arguments: [.simcom, .other, nil] as [ReceiverFamily?])
  func unknown(family: ReceiverFamily?) {
    var wiring = wiring(family)
    wiring.mayQuery = false
    let bench = Bench.running(wiring)
    let why = bench.sequencer.objection(to: .hot) ?? ""
    switch family {
    case .simcom: #expect(why.contains("through the modem"))
    case .other: #expect(why.contains("no restart command"))
    default: #expect(why.contains("receiver.family"))
    }
  }
}
