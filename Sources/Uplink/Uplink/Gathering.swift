import Delivery
import Core
import Platform
import Ports
import Records
import Runtime

/// Brings the outbox up to date before a visit: what is new in the store, what has to be said
/// again, and what need not be kept any longer.
final class Gathering {
  private static let mostAttempts = 3
  /// A broker that was started again may have forgotten something; more is no accident.
  private static let telltaleAttempts = 2
  private let parts: UplinkRun.Parts
  private let settings: UplinkSettings
  private let board: UplinkBoard
  private let onLog: (LogEvent) -> Void
  /// Whether Home Assistant is to be told of the board whatever it knows.
  private var isAskedForAnnouncement = false

  init(
    _ parts: UplinkRun.Parts, _ settings: UplinkSettings, _ board: UplinkBoard,
    onLog: @escaping (LogEvent) -> Void
  ) {
    self.parts = parts
    self.settings = settings
    self.board = board
    self.onLog = onLog
  }

  /// Home Assistant has started, and asks who is there.
  func announceAgain() { isAskedForAnnouncement = true }

  /// - Parameter isComplete: whether what waits in the daemon is committed first. Whoever only
  ///   looks whether something is due leaves that to the daemon: each commit wears the disk.
  func gather(isComplete: Bool) throws(PortError) {
    let now = BootClock.systemDate
    // One that does not run has committed all, and one that does not answer keeps what it has.
    if isComplete { _ = try? parts.daemon?.ask(ControlRequest.commit.json) }
    try resend(at: now)
    let result = try takeUp(at: now)
    for remark in result.remarks { onLog(LogEvent("uplink-store", remark, level: .warning)) }
    if result.queued > 0 { onLog(LogEvent("queued", Counted.text(result.queued, "message"))) }
    try inform()
    let dropped = try parts.outbox.tidy(
      settledBefore: now - settings.retention, atMost: settings.mostWaiting)
    guard dropped > 0 else { return }
    onLog(
      LogEvent(
        "dropped",
        "\(dropped) messages: more than uplink.most_waiting were waiting, or they were too long",
        level: .warning))
  }

  /// What a collector was handed and has not acknowledged.
  private func resend(at now: UTCInstant) throws(PortError) {
    // Where no receipt may arrive, what is sent again would be sent for ever.
    guard try parts.outbox.holds()[.receipts] == nil else { return }
    let resending = try parts.outbox.resend(after: settings.receiptTime, at: now)
    if resending.hasLostRecords {
      try tell(
        "receipts",
        "the collector has less than it has acknowledged before: its file was lost or put back, "
          + "and it gets all of the store anew")
    } else if resending.attempts >= Self.telltaleAttempts {
      try tell(
        "unacknowledged",
        "the collector has acknowledged nothing, though it was sent \(resending.count) messages "
          + "\(resending.attempts) times more: does godwit collect run, and do the broker's access "
          + "rules let the board read its receipts (docs/people.md, access list)?")
    }
  }

  private func tell(_ name: String, _ why: String) throws(PortError) {
    onLog(LogEvent(name, why, level: .warning))
    try parts.outbox.note(
      Exchange(.failed, over: .receipts, at: BootClock.systemDate, note: why))
  }

  /// What is new in the store. While nobody writes it is read without locks; a daemon that begins
  /// just then is no reason to end.
  private func takeUp(at now: UTCInstant) throws(PortError) -> OutboxFiller.Result {
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

  /// What may leave now: a pause may have begun a moment ago. Nil: that is not known, and nothing
  /// may.
  var privacy: PrivacyFilter? { try? PrivateAreas(parts, settings).privacy() }

  /// How the board is now, and who it is where that has changed.
  func inform() throws(PortError) {
    guard settings.recipients.contains(.homeAssistant), var state = try parts.outbox.state(),
      var dispatch = HomeAssistantDispatch(board, shown: state.shown)
    else { return }
    var items: [OutboxItem] = []
    let discovery = dispatch.discovery
    let announcement = String(decoding: discovery.payload, as: UTF8.self)
    if isAskedForAnnouncement || state.announcement != announcement {
      isAskedForAnnouncement = false
      state.announcement = announcement
      items.append(discovery)
    }
    // A daemon that does not run has nothing to say.
    let status = try? parts.daemon?.ask(ControlRequest.status.json)
    if let status, let privacy {
      let status = BoardStatus(status)
      if let fix = status.point.flatMap({ privacy.released($0) }) as? TrackPoint,
        let position = dispatch.position(fix)
      {
        state.shown = dispatch.shown
        items.append(position)
      }
      items.append(dispatch.state(status.homeAssistant(as: privacy)))
    }
    guard !items.isEmpty else { return }
    try parts.outbox.queue(items, state: state, at: BootClock.systemDate)
  }
}
