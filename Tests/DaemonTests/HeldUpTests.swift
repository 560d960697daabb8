import Foundation
import Core
import ReceiverStandIns
import TestSupport
import Testing

/// Peers that do not read, do not disconnect, or block: the daemon continues and ends in time.
@Suite(.serialized) struct HeldUpTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Reloads the settings again and again, which makes messages and notices, until a counter of the
  /// status has changed.
  private func reloads(_ daemon: LiveDaemon, until counter: String) throws -> Bool {
    for _ in 0..<1000 {
      daemon.process.signal(SIGHUP)
      if try daemon.status().at(counter)?.integer ?? 0 > 0 { return true }
    }
    return false
  }

  @Test("standard error is not read")
  func nobodyReadsMessages() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"], room: 4096)
    #expect(try reloads(daemon, until: "service.dropped_messages"))
    let dropped = try daemon.status().at("service.dropped_messages")?.integer ?? 0
    #expect(daemon.process.text.contains("reloaded"))
    daemon.process.signal(SIGHUP)
    #expect(daemon.process.says("missing messages: \(dropped)"))
    try daemon.endsOrderly()
  }

  @Test("standard error is not read, not even at the end")
  func nobodyReadsTheEnd() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"], room: 4096)
    #expect(try reloads(daemon, until: "service.dropped_messages"))
    try daemon.endsOrderly()
  }

  @Test("notices are not read, with a watchdog that needs many")
  func nobodyReadsNotices() throws {
    let daemon = try LiveDaemon(
      in: folder, settings: ["receiver.kind=none"], environment: ["WATCHDOG_USEC=20000"])
    #expect(try reloads(daemon, until: "service.dropped_notices"))
    let before = daemon.notices.heard.count
    // Even if notices were dropped, the service manager finally receives the current ones.
    #expect(daemon.notices.says("WATCHDOG=1"))
    #expect(daemon.notices.says("READY=1"))
    #expect(daemon.notices.heard.count > before)
    try daemon.endsOrderly()
  }

  @Test("silent clients use up all descriptors")
  func outOfDescriptors() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"])
    try daemon.limitDescriptors(toFurther: 3)
    let crowd = try Crowd(daemon.socket, 24)
    let status = try daemon.status()
    #expect(status["state"]?.string == "running")
    #expect(status.at("service.shed_clients")?.integer ?? 0 > 0)
    withExtendedLifetime(crowd) {}
    try daemon.endsOrderly()
  }

  @Test("without a free descriptor the socket is ignored for a while")
  func noDescriptorAtAll() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"])
    try daemon.limitDescriptors(to: 3)
    let client = try Crowd(daemon.socket, 1)
    #expect(daemon.process.says("control-short"))
    try daemon.limitDescriptors(to: 1024)
    let status = try daemon.status()
    #expect(daemon.process.says("control-recovered"))
    #expect(status.at("service.failed_connections")?.integer ?? 0 > 0)
    #expect(status.at("service.wakeups")?.integer ?? .max < Int(50 * timeFactor))
    withExtendedLifetime(client) {}
    try daemon.endsOrderly()
  }

  @Test(
    "an invalid watchdog time is reported and ignored",
    arguments: ["WATCHDOG_USEC=0", "WATCHDOG_USEC=x", "WATCHDOG_USEC=-5", "WATCHDOG_PID=x"])
  func brokenWatchdog(variable: String) throws {
    let daemon = try LiveDaemon(
      in: folder, settings: ["receiver.kind=none"],
      environment: (variable.hasPrefix("WATCHDOG_PID") ? ["WATCHDOG_USEC=1000000"] : []) + [
        variable
      ])
    #expect(daemon.process.says("watchdog-unusable: \(variable.prefix { $0 != "=" })"))
    #expect(try daemon.status()["state"]?.string == "running")
    try daemon.endsOrderly()
  }

  @Test("a store at the socket's path is left alone, and tracking goes on")
  func aStoreAsSocket() throws {
    let store = folder.file("life.gpkg")
    let first = try LiveDaemon(in: folder, settings: ["receiver.kind=none"], store: store)
    try first.endsOrderly()
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let daemon = try LiveDaemon.another(folder, ["--socket", store, "--set", "receiver.kind=none"])
    #expect(daemon.says("control-failed: \(store): a regular file exists there"))
    daemon.signal(SIGTERM)
    #expect(daemon.exitCode() == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }

  @Test(
    "a socket path that is the store's under any name is refused before the store is created",
    arguments: ["other.gpkg", "other.gpkg-wal", "./other.gpkg-journal", "link", "log"])
  func theSameName(name: String) throws {
    try #require(symlink("./other.gpkg", folder.file("link")) == 0)
    try #require(symlink("other.gpkg-shm", folder.file("log")) == 0)
    try folder.write("", to: "godwit.toml")
    try folder.write("", to: "board.toml")
    let daemon = try LiveDaemon.another(
      folder, ["--socket", folder.file(name), "--set", "receiver.kind=none"])
    #expect(daemon.says("control.socket is the path of the store"))
    daemon.signal(SIGTERM)
    #expect(daemon.exitCode() == 0)
  }
}
