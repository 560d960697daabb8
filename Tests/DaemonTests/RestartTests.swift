import Foundation
import ReceiverStandIns
import TestSupport
import Testing

/// State that survives the daemon, however it ends.
@Suite(.serialized) struct RestartTests {
  let folder: ScratchFolder
  let link = Pseudoterminal.freshLink()

  init() throws { folder = try ScratchFolder() }

  /// A daemon in an open visit; the receiver's clock runs 30 times as fast as real time.
  func daemonInAVisit(_ line: Pseudoterminal) throws -> LiveDaemon {
    let daemon = try LiveDaemon(
      in: folder,
      settings: [
        "receiver.device=\(link)", "receiver.baud=115200", "policy.name=continuous",
      ])
    #expect(
      daemon.hears(line, Epochs(from: 36_000, step: 30), baud: 115_200, period: 0.4) {
        $0["visit"]?["arrival"] != nil
      })
    return daemon
  }

  @Test("it ends cleanly, and the visit stays open") func theEndIsOrderlyAndTheVisitStaysOpen()
    throws
  {
    let line = Pseudoterminal(link: link)
    let daemon = try daemonInAVisit(line)
    try daemon.endsOrderly()
    #expect(folder.files.filter { $0.hasPrefix("store.gpkg") } == ["store.gpkg"], "no log is left")
    #expect(try daemon.query("SELECT count(*), count(departure) FROM visits") == "1|0")
    #expect(try daemon.query("SELECT outcome FROM gnss_sessions") == "stopped")
    #expect(try daemon.query("PRAGMA integrity_check") == "ok")
    // The line is no longer locked.
    #expect(flockIsFree(line.path))
  }

  @Test("a killed daemon continues its visit") func aKilledDaemonGoesOnWithItsVisit() throws {
    var line: Pseudoterminal? = Pseudoterminal(link: link)
    let daemon = try daemonInAVisit(try #require(line))
    _ = try daemon.ask("commit")
    let columns = "SELECT id, arrival FROM visits"
    let before = try daemon.query(columns)
    let arrival = try daemon.status().at("visit.arrival")
    daemon.process.signal(SIGKILL)
    #expect(daemon.process.exitCode() == -SIGKILL)

    // A real line is released when its holder dies. A pseudo-terminal keeps TIOCEXCL as long as its
    // other end is open (tty_io.c).
    line = nil
    let again = Pseudoterminal(link: link)
    try daemon.restart()
    #expect(try daemon.status().at("visit.arrival") == arrival)
    #expect(
      daemon.hears(again, Epochs(from: 39_600, step: 30), baud: 115_200, period: 0.4) {
        $0.accepted > 2
      }, "\(daemon.process.text)")
    try daemon.endsOrderly()
    #expect(try daemon.query(columns) == before)
    #expect(
      try daemon.query(
        "SELECT group_concat(outcome) FROM (SELECT * FROM gnss_sessions ORDER BY id)")
        == "interrupted,stopped")
  }

  private func flockIsFree(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
