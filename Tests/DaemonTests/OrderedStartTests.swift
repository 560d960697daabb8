import Core
import ReceiverStandIns
import TestSupport
import Testing

/// `godwit gnss restart` with a daemon and a receiver on a line.
@Suite(.serialized) struct OrderedStartTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func restart(_ daemon: LiveDaemon, _ kind: String) throws -> ChildProcess {
    try #require(
      ChildProcess(
        BuiltProgram.path("godwit"), ["gnss", "restart", kind, "--socket", daemon.socket]))
  }

  @Test("the command waits for the receiver's acknowledgement, and the store records the start")
  func acknowledged() throws {
    let line = Pseudoterminal()
    let daemon = try LiveDaemon(
      in: folder,
      settings: [
        "receiver.device=\(line.link)", "receiver.baud=9600", "receiver.family=mediatek",
        "policy.name=continuous",
      ])
    #expect(daemon.hears(line) { $0.isTracking })
    let command = try restart(daemon, "cold")
    let receiver = AnsweringReceiver(
      line, baud: 9600,
      answers: [
        (
          NMEAText.sentence("PMTK103"),
          NMEAText.sentence("PMTK011,MTKGPS") + NMEAText.sentence("PMTK010,001")
        )
      ])
    let epochs = Array(Epochs(from: 36_060, hasFix: false).prefix(30))
    #expect(receiver.speak(epochs, period: 1) { command.exitCode(within: 0) != nil })
    #expect(command.exitCode() == 0 && receiver.asked == [0])
    #expect(command.says("acquiring: cold start; acknowledged by the receiver"))
    let status = try daemon.status()
    #expect(status.at("gnss_restart.kind")?.string == "cold")
    #expect(status.at("gnss_restart.outcome")?.string == "acknowledged")
    _ = try daemon.ask("commit")
    try daemon.endsOrderly()
    #expect(
      try daemon.query(
        "SELECT group_concat(coalesce(restart, '-')) FROM (SELECT * FROM gnss_sessions ORDER BY id)"
      ) == "-,cold")
  }

  @Test("the command prints the daemon's refusal and fails") func refused() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"])
    let command = try restart(daemon, "hot")
    #expect(command.exitCode() == 1)
    #expect(command.says("the daemon refused: no fix is in demand now (no receiver is configured)"))
    try daemon.endsOrderly()
  }
}
