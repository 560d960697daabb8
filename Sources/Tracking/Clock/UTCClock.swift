import Core

/// What confirms the receiver's date besides the receiver.
public enum DateSource: String, Hashable, Sendable {
  case systemClock = "system-clock"
  case storedRecords = "stored-records"
  /// The date has been consistent for a day.
  case persistence
}

/// Civil time on a board that may have none: the offset of UTC from the board's clock, learnt from
/// the receiver.
///
/// A receiver's date may be wrong by years: after a cold start, at a rollover of the week counter,
/// under a spoofer. It is rejected when another source contradicts it: the system's clock, the
/// newest stored record, or an earlier date that was confirmed. Without any such source it is
/// accepted, and `source` stays nil: good enough to date records, but not to delete any.
public struct UTCClock: Sendable {
  /// A date that has been consistent for this long counts as confirmed.
  static let persistence = Seconds.days(1)
  /// Receiver and board agree on elapsed time: a larger step means another date.
  private static let maxStep = Seconds(60)

  private var receiverDate: ReceiverDate?
  private var system: SystemDate?
  private var remembered: RememberedDate?
  private var boot: String?
  /// The present sequence of rejected dates.
  private var candidate: RefusedDate?
  /// Why the receiver's date is rejected; nil while it is accepted.
  public private(set) var objection: DateConflict?
  private var objectedAt: BootInstant?
  /// The minimum time between reports for a receiver that is alternately right and wrong.
  private static let objectionPause = Seconds.hours(1)

  /// The date by the receiver.
  private struct ReceiverDate: Hashable, Sendable {
    let time: UTCInstant
    let received: BootInstant
    var heldSince: UTCInstant
    var source: DateSource?

    func utc(at instant: BootInstant) -> UTCInstant {
      UTCInstant(
        nanoseconds: instant.nanoseconds &+ (time.nanoseconds &- received.nanoseconds))
    }
  }

  public init() {}

  /// Whether `utc(at:)` comes from the receiver and not from the system.
  public var isFromReceiver: Bool { receiverDate != nil }
  /// The source that confirms it; nil while there is none.
  public var source: DateSource? { receiverDate?.source }

  /// Whether the date is unlikely to be corrected: it is the receiver's, or that of a synchronized
  /// clock.
  public var isSure: Bool { receiverDate != nil || system?.isSynchronized ?? false }

  /// Nil while nothing plausible is known.
  public func utc(at instant: BootInstant) -> UTCInstant? {
    receiverDate?.utc(at: instant) ?? system?.utc(at: instant)
  }

  /// Called at the start of the daemon.
  /// - Parameter boot: names this run of the system (random/boot_id of proc(5)).
  mutating func started(system date: SystemDate?, boot: String?) {
    self.boot = boot
    if let date { update(system: date) }
  }

  /// Receives the system's date. It is read again until another source confirms the receiver's,
  /// because the network may have set it meanwhile.
  mutating func update(system date: SystemDate) {
    system = date
    guard let receiverDate, receiverDate.source == nil else { return }
    switch date.compare(on: receiverDate.utc(at: date.read), received: date.read) {
    case .agrees: self.receiverDate?.source = .systemClock
    case .contradicts: self.receiverDate = nil
    case .silent: break
    }
  }

  enum Assessment: Hashable, Sendable {
    case accepted
    /// `isNews` is true at most once an hour.
    case refused(DateConflict, isNews: Bool)
  }

  mutating func evaluate(_ claim: UTCInstant, received: BootInstant) -> Assessment {
    objection = nil
    if follows(claim, received) {
      candidate = nil
    } else if agreeing(with: claim, received) == nil,
      let contradiction = contradiction(of: claim, received)
    {
      extendCandidate(to: claim, received)
      if !hasPersisted(until: claim) { objection = contradiction }
    }
    guard let objection else { return .accepted }
    let isNews = objectedAt.map { received - $0 >= Self.objectionPause } ?? true
    if isNews { objectedAt = received }
    return .refused(objection, isNews: isNews)
  }

  /// Accepts the receiver's time.
  mutating func receiverTime(_ time: UTCInstant, at received: BootInstant) {
    var date = continued(to: time, received)
    if date.source == nil { date.source = agreeing(with: time, received) }
    if date.source == nil, time - date.heldSince >= Self.persistence {
      date.source = .persistence
    }
    receiverDate = date
    candidate = nil
  }

  // MARK: Corroborating sources

  /// Whether the claim continues the receiver's accepted date.
  private func follows(_ claim: UTCInstant, _ received: BootInstant) -> Bool {
    guard let receiverDate else { return false }
    return (claim - receiverDate.utc(at: received)).magnitude <= DateAgreement.tolerance
  }

  private func agreeing(with claim: UTCInstant, _ received: BootInstant) -> DateSource? {
    if system?.compare(on: claim, received: received) == .agrees { return .systemClock }
    let past = remembered?.compare(on: claim, received: received, boot: boot)
    return past == .agrees ? .storedRecords : nil
  }

  private func contradiction(of claim: UTCInstant, _ received: BootInstant) -> DateConflict? {
    if let system, system.compare(on: claim, received: received) == .contradicts {
      return DateConflict(
        claim: claim, source: "the system's clock", says: system.date + (received - system.read))
    }
    if let remembered,
      remembered.compare(on: claim, received: received, boot: boot) == .contradicts
    {
      return DateConflict(
        claim: claim, source: "the newest stored record", says: remembered.time)
    }
    guard let receiverDate, receiverDate.source != nil else { return nil }
    return DateConflict(
      claim: claim, source: "the date so far", says: receiverDate.utc(at: received))
  }

  /// Extends the sequence of rejected dates, or begins another.
  private mutating func extendCandidate(to claim: UTCInstant, _ received: BootInstant) {
    var current = RefusedDate(first: claim, newest: claim, received: received)
    if let candidate, candidate.continues(to: claim, received: received, maxStep: Self.maxStep) {
      current.first = candidate.first
    }
    candidate = current
  }

  /// Whether the rejected sequence is long enough to be accepted after all.
  private func hasPersisted(until claim: UTCInstant) -> Bool {
    guard let candidate else { return false }
    return claim - candidate.first >= Self.persistence
  }

  /// The date with the claim: since when it has been consistent, and what confirms it so far.
  private func continued(to claim: UTCInstant, _ received: BootInstant) -> ReceiverDate {
    var date = ReceiverDate(time: claim, received: received, heldSince: claim)
    if let receiverDate, follows(claim, received) {
      let step = claim - receiverDate.utc(at: received)
      date.heldSince =
        step.magnitude > Self.maxStep ? receiverDate.heldSince + step : receiverDate.heldSince
      date.source = receiverDate.source
    } else if let candidate, hasPersisted(until: claim) {
      date.heldSince = candidate.first
      date.source = .persistence
    } else if receiverDate == nil, let remembered,
      remembered.continues(to: claim, received: received, boot: boot)
    {
      date.heldSince = remembered.heldSince
    }
    return date
  }
}

/// A receiver's date and the source that contradicts it.
public struct DateConflict: Hashable, Sendable {
  let claim: UTCInstant
  /// For display.
  let source: String
  let says: UTCInstant

  /// What happened and what to do.
  public var text: String {
    func date(_ instant: UTCInstant) -> String { ISO8601.text(instant, digits: 0) }
    return
      "the receiver reports \(date(claim)), but \(source) shows \(date(says)); its fixes are "
      + "ignored until both agree or its date has been consistent for a day. If the receiver is "
      + "right, correct the other"
  }
}

// MARK: Over a restart

extension UTCClock {
  private static let fields = SnapshotFields<UTCClock>([
    .optional("believed", \.remembered, RememberedDate.coding),
    .kept("refused", \.candidate, RefusedDate.coding),
  ])

  /// What the next run needs to know; nil when nothing is known.
  func snapshot(at now: BootInstant) -> JSONValue? {
    var left = self
    if let receiverDate {
      left.remembered = RememberedDate(
        time: receiverDate.utc(at: now), heldSince: receiverDate.heldSince,
        isConfirmed: receiverDate.source != nil,
        boot: boot, sinceBoot: now - .zero)
    }
    guard left.remembered != nil || candidate != nil else { return nil }
    return Self.fields.snapshot(of: left)
  }

  mutating func restore(_ snapshot: JSONValue?) {
    self = Self.fields.restored(snapshot, onto: self) ?? self
  }
}
