import Foundation
import Core
import ReceiverStandIns
import TestSupport
import Testing

/// Two daemons with one store, each with its own control socket and receiver.
@Suite(.serialized) struct TwoDaemonsTests {
  let folders: [ScratchFolder]
  let lines = [Pseudoterminal(), Pseudoterminal()]

  init() throws { folders = [try ScratchFolder(), try ScratchFolder()] }

  func daemon(_ index: Int) throws -> LiveDaemon {
    try LiveDaemon(
      in: folders[index],
      settings: [
        "receiver.device=\(lines[index].link)", "receiver.baud=9600", "policy.name=continuous",
      ], store: folders[0].file("shared.gpkg"))
  }

  @Test("the second keeps its records until the first has ended", arguments: [SIGKILL, SIGTERM])
  func oneAtATime(signal: Int32) throws {
    let first = try daemon(0)
    #expect(first.hears(lines[0]) { $0.isTracking })
    let second = try daemon(1)
    #expect(second.hears(lines[1]) { $0.isTracking })
    _ = try first.ask("commit")
    let waiting = try second.ask("commit")
    let words = "another godwit (process \(first.process.id)) writes to the store"
    #expect(waiting.storeFailure?.contains(words) == true, "\(waiting.storeFailure ?? "none")")
    #expect(waiting["state"]?.string == "degraded")
    #expect(waiting.at("store.waiting_records")?.integer ?? 0 > 0)
    #expect(try first.query("SELECT count(*) FROM gnss_sessions") == "1")
    // Labels and readers do not count as daemons.
    #expect(try run("sqlite3", first.store, "UPDATE meta SET value = value").status == 0)
    #expect(try run(BuiltProgram.path("godwit"), "track", "--store", first.store).status == 0)

    first.process.signal(signal)
    #expect(first.process.exitCode() == (signal == SIGTERM ? 0 : -signal))
    let alone = try second.ask("commit")
    #expect(alone.storeFailure == nil && alone.at("store.waiting_records")?.integer == 0)
    try second.endsOrderly()
    #expect(second.process.text.contains("store-recovered"))
    #expect(try first.query("PRAGMA integrity_check") == "ok")
    let outcomes = try first.query("SELECT outcome FROM gnss_sessions ORDER BY id")
    // A session that the first could not end is ended by the one that takes over.
    #expect(outcomes == (signal == SIGTERM ? "stopped\nstopped" : "interrupted\nstopped"))
  }
}
