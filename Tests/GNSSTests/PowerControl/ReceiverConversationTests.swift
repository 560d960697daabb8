import Core
import Testing

@testable import GNSS

/// Bytes sent to a receiver, and the effect of its answers.
@Suite struct ReceiverConversationTests {
  private let version = ReceiverAnswer.mtkVersion(
    MTKVersion(release: "AXN_5.1.7", build: "3333", product: ""))

  private func actions(_ speak: (inout SequencerStep) -> Void) -> [PowerAction] {
    var step = SequencerStep(at: .zero)
    speak(&step)
    return step.actions
  }

  @Test("the identity determines the capabilities, and is reported once")
  func identity() {
    var dialogue = ReceiverDialogue(PowerWiring(mechanism: .lines, lines: [.supply]))
    #expect(!dialogue.capabilities.canSleep && dialogue.sleepFailure == nil)
    #expect(!actions { dialogue.begin(&$0) }.isEmpty, "it is asked")
    #expect(dialogue.due != nil)
    let news = actions { dialogue.receive(version, isOn: true, canBeCommanded: true, &$0) }
    #expect(news == [.identified(dialogue.identity), .capabilitiesChanged])
    #expect(dialogue.identity.family == .mediatek && dialogue.capabilities.canSleep)
    #expect(actions { dialogue.receive(version, isOn: true, canBeCommanded: true, &$0) } == [])
    #expect(actions { dialogue.interrupt(&$0) } == [])
    #expect(dialogue.due == nil)
  }

  @Test("a receiver that is falling asleep is not sent its configuration")
  func noBytesIntoSleep() {
    let wiring = PowerWiring(mechanism: .lines, lines: [.supply], powerSaving: .off)
    let m8 = ReceiverAnswer.ubxVersion(
      UBXVersion(software: "ROM CORE 3.01", hardware: "00080000", extensions: ["PROTVER=18.00"]))
    for canBeCommanded in [true, false] {
      var dialogue = ReceiverDialogue(wiring)
      let said = actions { step in
        dialogue.receive(m8, isOn: true, canBeCommanded: canBeCommanded, &step)
      }
      let hasSent = said.contains { if case .send = $0 { true } else { false } }
      #expect(dialogue.identity.isCertain && hasSent == canBeCommanded)
    }
  }

  @Test("refused sleep methods are dropped, until none is left")
  func refusals() throws {
    var dialogue = ReceiverDialogue(
      PowerWiring(mechanism: .lines, lines: [.supply], family: .mediatek))
    for method in [SleepMethod.mtkStandby, .mtkBackup] {
      var step = SequencerStep(at: .zero)
      let attempt = try #require(dialogue.fallAsleep(until: nil, pace: 1, &step))
      #expect(attempt.method == method && step.actions.count == 1)
      #expect(dialogue.mayBeAsleep)
      #expect(actions { dialogue.refused(method, "it went on sending", &$0) }.count == 1, "logged")
      if method == .mtkStandby { #expect(dialogue.canSleep) }
    }
    #expect(!dialogue.canSleep && !dialogue.mayBeAsleep)
    let failure = try #require(dialogue.sleepFailure)
    #expect(failure.contains("mtk"), "\(failure)")
  }

  @Test("without backup supply a fast start after a cut requires a store for navigation data")
  func backup() {
    func outlives(_ family: ReceiverFamily, hasBackupSupply: Bool) -> Bool {
      ReceiverDialogue(
        PowerWiring(
          mechanism: .lines, lines: [.supply], hasBackupSupply: hasBackupSupply, family: family)
      ).capabilities.hasBackup
    }
    #expect(outlives(.mediatek, hasBackupSupply: true))
    #expect(!outlives(.mediatek, hasBackupSupply: false))
    #expect(outlives(.ubloxM8, hasBackupSupply: false))
  }
}
