import Foundation
import Core
import ReceiverStandIns
import Synchronization
import TestSupport
import Testing

/// The board of one person with the real programs: the daemon with a receiver that has a fix, and
/// the uplink, which stays connected to a broker.
final class PersonsBoard {
  let name: String
  private let folder: ScratchFolder
  private let link = Pseudoterminal.freshLink()
  private let daemon: LiveDaemon
  private var uplink: ChildProcess
  private var voice: ReceiverVoice?

  init(_ name: String, broker port: UInt16) throws {
    self.name = name
    folder = try ScratchFolder()
    let line = Pseudoterminal(link: link)
    let text = """
      [control]
      socket = "\(folder.file("control"))"
      [receiver]
      device = "\(link)"
      baud = 9600
      [policy]
      name = "continuous"
      [people]
      address = "\(name)"
      [uplink]
      path = "\(folder.file("outbox.db"))"
      socket = "\(folder.file("door"))"
      delay_s = 0
      [uplink.mqtt]
      brokers = ["mqtt://localhost:\(port)"]
      user = "\(name)"
      owntracks = false
      people = true
      """
    daemon = try LiveDaemon(in: folder, text: text)
    voice = ReceiverVoice(line)
    uplink = try Self.uplink(folder)
  }

  private static func uplink(_ folder: ScratchFolder) throws -> ChildProcess {
    try #require(
      ChildProcess(
        BuiltProgram.path("godwit"),
        [
          "uplink", "run", "--service", "--config", folder.file("godwit.toml"), "--store",
          folder.file("store.gpkg"),
        ]))
  }

  /// Runs a command of its owner.
  func does(_ words: String...) throws {
    let command = try #require(
      ChildProcess(
        BuiltProgram.path("godwit"),
        words + ["--store", daemon.store, "--config", folder.file("godwit.toml")]))
    #expect(command.exitCode(within: 20) == 0, "\(words): \(command.text)")
  }

  // MARK: Kills

  func killDaemon() throws {
    daemon.process.signal(SIGKILL)
    #expect(daemon.process.exitCode() == -SIGKILL)
    // A pseudo-terminal remembers TIOCEXCL as long as its other end is open (tty_io.c).
    let second = voice?.end()
    voice = nil
    let line = Pseudoterminal(link: link)
    try daemon.restart()
    voice = ReceiverVoice(line, from: second ?? 36_000)
  }

  func killUplink() throws {
    uplink.signal(SIGKILL)
    #expect(uplink.exitCode() == -SIGKILL)
    uplink = try Self.uplink(folder)
  }

  /// The next changes of its files.
  func changes() -> FileEvents { FileEvents(folder.path, FileEvents.changes) }

  /// Waits for `count` of its changes.
  func pass(_ count: Int, of changes: FileEvents) { _ = changes.wait(for: count, or: uplink) }

  // MARK: What is there

  func query(_ sql: String) throws -> String { try daemon.query(sql) }

  /// Waits for a state of the store, which changes with every second that the receiver sends.
  func waits(until deadline: ContinuousClock.Instant, _ isReached: () throws -> Bool) throws -> Bool
  {
    let changes = changes()
    while try !isReached() {
      guard ContinuousClock.now < deadline else { return false }
      pass(1, of: changes)
    }
    return true
  }

  var remarks: String { "\(name): \(daemon.process.text)\n\(uplink.text)" }
}

/// A receiver on its own line that sends once per second until it is ended.
private final class ReceiverVoice {
  private struct State {
    var isEnding = false
    /// The next second to send.
    var second: Int
  }
  private final class Shared: Sendable {
    let state: Mutex<State>
    init(second: Int) { state = Mutex(State(second: second)) }
  }

  private let line: Pseudoterminal
  private let shared: Shared
  private let ended = DispatchSemaphore(value: 0)

  init(_ line: Pseudoterminal, from second: Int = 36_000) {
    self.line = line
    shared = Shared(second: second)
    // The line ends with this object, before another one of the same name exists.
    nonisolated(unsafe) unowned let end = line
    let (shared, ended) = (shared, ended)
    Thread {
      Self.speak(end, shared)
      ended.signal()
    }.start()
  }

  deinit { _ = end() }

  private static func speak(_ line: Pseudoterminal, _ shared: Shared) {
    let epochs = Epochs(from: shared.state.withLock { $0.second }).lazy.map { epoch in
      shared.state.withLock { $0.second += 1 }
      return epoch
    }
    Speaker(line, baud: 9600).speak(epochs) { shared.state.withLock { $0.isEnding } }
  }

  /// - Returns: the next second to send.
  func end() -> Int {
    let wasEnding = shared.state.withLock { state in
      defer { state.isEnding = true }
      return state.isEnding
    }
    if !wasEnding { ended.wait() }
    return shared.state.withLock { $0.second }
  }
}
