import Delivery
import Core
import Platform
import Ports
import Records
import Runtime

/// Brings the outbox up to date before a connection: adds what is new in the store, repeats what
/// has to be sent again, and drops what need not be kept.
final class Gathering {
  private static let mostAttempts = 3
  /// After a broker restart one repetition is normal; more indicates a fault.
  private static let warningAttempts = 2
  private let parts: UplinkRun.Parts
  private let settings: UplinkSettings
  private let board: UplinkBoard
  private let onLog: (LogEvent) -> Void
  /// Whether to announce the board to Home Assistant even if nothing has changed.
  private var announcesAgain = false

  init(
    _ parts: UplinkRun.Parts, _ settings: UplinkSettings, _ board: UplinkBoard,
    onLog: @escaping (LogEvent) -> Void
  ) {
    self.parts = parts
    self.settings = settings
    self.board = board
    self.onLog = onLog
  }

  /// Home Assistant has started and requests an announcement.
  func announceAgain() { announcesAgain = true }

  /// - Parameter isComplete: whether the daemon's waiting records are committed first. A mere check
  ///   leaves that to the daemon, because each commit wears the disk.
  func update(isComplete: Bool) throws(PortError) {
    let now = BootClock.systemDate
    // A stopped daemon has committed everything; one that does not respond keeps what it has.
    if isComplete { _ = try? parts.daemon?.query(ControlRequest.commit.json) }
    try resend(at: now)
    let result = try readChanges(at: now)
    for remark in result.remarks { onLog(LogEvent("uplink-store", remark, level: .warning)) }
    if result.queued > 0 { onLog(LogEvent("queued", Counted.text(result.queued, "message"))) }
    try inform()
    let dropped = try parts.outbox.prune(
      settledBefore: now - settings.retention, atMost: settings.mostWaiting)
    guard dropped > 0 else { return }
    onLog(
      LogEvent(
        "dropped",
        "\(dropped) messages: more than uplink.most_waiting were waiting, or they were too long",
        level: .warning))
  }

  /// Repeats what a collector was sent and has not acknowledged.
  private func resend(at now: UTCInstant) throws(PortError) {
    // If no receipt can arrive, messages would be repeated endlessly.
    guard try parts.outbox.backoffs()[.receipts] == nil else { return }
    let resending = try parts.outbox.resend(after: settings.receiptTime, at: now)
    if resending.hasLostRecords {
      try report(
        "receipts",
        "the collector has less than it has acknowledged before: its file was lost or restored, "
          + "so all of the store is sent again")
    } else if resending.attempts >= Self.warningAttempts {
      try report(
        "unacknowledged",
        "the collector has acknowledged nothing, though it was sent \(resending.count) messages "
          + "\(resending.attempts) times more: check that godwit collect runs, and that the "
          + "broker's access rules let the board read its receipts (docs/manual/uplink.md, access "
          + "list)")
    }
  }

  private func report(_ name: String, _ why: String) throws(PortError) {
    onLog(LogEvent(name, why, level: .warning))
    try parts.outbox.note(
      Exchange(.failed, over: .receipts, at: BootClock.systemDate, note: why))
  }

  /// Takes over what is new in the store. Without a writer the store is read without locks; a
  /// daemon that starts at that moment is handled by another attempt.
  private func readChanges(at now: UTCInstant) throws(PortError) -> OutboxFiller.Result {
    var attempts = 0
    while true {
      attempts += 1
      do {
        // Who stays outlives the daemons that write the store, and the store itself.
        try parts.store.reopen()
        let privacy = try PrivateAreas(parts, settings).privacy()
        var gatherer = OutboxFiller(
          from: parts.store, into: parts.outbox, settings, board, privacy,
          encryptor: parts.encryptor)
        let chance = String(UInt64.random(in: .min ... .max), radix: 36)
        return try gatherer.gather(streamName: chance, at: now)
      } catch {
        guard error.isBusy, attempts < Self.mostAttempts else { throw error }
      }
    }
  }

  /// What may leave the board now; a pause may just have begun. Nil: unknown, and nothing may.
  var privacy: PrivacyFilter? { try? PrivateAreas(parts, settings).privacy() }

  /// Queues the board's state, and its announcement if that has changed.
  func inform() throws(PortError) {
    guard settings.recipients.contains(.homeAssistant), var state = try parts.outbox.state(),
      let dispatch = HomeAssistantDispatch(board)
    else { return }
    var items: [OutboxItem] = []
    let discovery = dispatch.discovery
    let announcement = String(decoding: discovery.payload, as: UTF8.self)
    if announcesAgain || state.announcement != announcement {
      announcesAgain = false
      state.announcement = announcement
      items.append(discovery)
    }
    // A daemon that is not running has no status.
    let status = try? parts.daemon?.query(ControlRequest.status.json)
    if let status, let privacy {
      let status = BoardStatus(status)
      if let fix = status.point.flatMap({ privacy.released($0) }) as? TrackPoint,
        let position = dispatch.position(fix, &state)
      {
        items.append(position)
      }
      items.append(dispatch.state(status.homeAssistant(as: privacy)))
    }
    guard !items.isEmpty else { return }
    try parts.outbox.queue(items, state: state, at: BootClock.systemDate)
  }
}
