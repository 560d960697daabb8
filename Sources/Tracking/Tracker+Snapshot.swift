import Notation
import Quantities
import Records

/// What survives a restart: the open visit, what was learnt about lock times, the back-off, and the
/// session that was running. Everything else is worth less than a fresh start.
extension Tracker {
  static let snapshotVersion = 1

  public func snapshot(at now: BootInstant) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("version", .number(Double(Self.snapshotVersion))),
      ("acquisition", acquisition.snapshot),
      ("perception", perception.snapshot),
    ]
    // The line ends there for as long as it is not known how it goes on.
    if settings.policy == .continuous, let end = perception.simplifier.pending {
      members.append(("line_end", end.snapshot))
    }
    if let date = clock.snapshot(at: now) { members.append(("date", date)) }
    if let utc = clock.utc(at: now) { members.append(("time", .string(ISO8601.text(utc)))) }
    if let session {
      members.append(("session", .number(Double(session.id))))
      if let on = session.on { members.append(("session_on", .string(ISO8601.text(on)))) }
      if let time = session.timeToFirstFix {
        members.append(("session_ttff_s", .number(time.value)))
      }
      members.append(("session_accepted", .number(Double(session.fixesAccepted))))
      members.append(("session_rejected", .number(Double(session.fixesRejected))))
    }
    return .object(members)
  }

  /// Goes on from what an earlier run left. A text that makes no sense is noted and ignored: a
  /// tracker that starts afresh is better than one that does not start.
  public mutating func restore(_ text: String, at now: BootInstant) -> [Effect] {
    var effects: [Effect] = []
    guard let snapshot = understood(text, at: now, into: &effects) else { return effects }
    clock.restore(snapshot["date"])
    acquisition.restore(snapshot["acquisition"])
    finishLine(snapshot, into: &effects)
    if let saved = snapshot["perception"] { perception.restore(saved) }
    if let id = snapshot["session"]?.count { interrupted(Int64(id), snapshot, into: &effects) }
    return effects
  }

  func understood(
    _ text: String, at now: BootInstant, into effects: inout [Effect]
  ) -> JSONValue? {
    if let snapshot = try? JSONValue(parsing: text),
      snapshot["version"]?.integer == Self.snapshotVersion
    {
      return snapshot
    }
    note(
      "state-ignored", "the state of the last run cannot be read; starting afresh",
      level: .warning, at: now, into: &effects)
    return nil
  }

  /// The last run ended before it was known how its line goes on: it goes as far as it was seen.
  func finishLine(_ snapshot: JSONValue, into effects: inout [Effect]) {
    guard settings.policy == .continuous, let end = Sighting(snapshot["line_end"]) else { return }
    let session = snapshot["session"]?.count.map { Int64($0) }
    effects.append(
      .store(.trackPoint(TrackPoint(sighting: end, reason: .shape, session: session))))
  }

  /// The last run ended without switching off: its session is closed with what is known.
  mutating func interrupted(
    _ id: Int64, _ snapshot: JSONValue, into effects: inout [Effect]
  ) {
    var session = GnssSession(
      id: id, on: snapshot["session_on"]?.string.flatMap { ISO8601.parse($0) })
    session.off = snapshot["time"]?.string.flatMap { ISO8601.parse($0) }
    session.timeToFirstFix = snapshot["session_ttff_s"]?.number.map { Seconds($0) }
    session.fixesAccepted = snapshot["session_accepted"]?.count ?? 0
    session.fixesRejected = snapshot["session_rejected"]?.count ?? 0
    session.outcome = .interrupted
    effects.append(.store(.session(session)))
    nextSessionID = max(nextSessionID, RecordIdentifier.following(id))
  }
}

extension JSONValue {
  /// A number of things, or an id: neither negative nor so large that one more could not be
  /// counted.
  var count: Int? {
    integer.flatMap { (0...Int(RecordIdentifier.highest)).contains($0) ? $0 : nil }
  }
}

extension Tracker {
  /// A tracker with other settings that goes on with this one's ids, places, date and hardware.
  /// `restore` then gives it what was learnt.
  public func reconfigured(_ settings: TrackerSettings) -> Tracker {
    var tracker = Tracker(
      settings: settings, lastSessionID: nextSessionID - 1,
      lastVisitID: perception.detector.nextID - 1,
      lastDestinationID: perception.book.lastID,
      destinations: perception.book.destinations)
    tracker.clock = clock
    tracker.counters = counters
    tracker.gnssOverride = gnssOverride
    tracker.switchOffBackOff = switchOffBackOff
    tracker.rest = rest
    tracker.idle = idle
    if settings.receiver == self.settings.receiver { tracker.energyModel = energyModel }
    tracker.acquisition.inherit(from: acquisition)
    tracker.coarseJudge.inherit(from: coarseJudge)
    tracker.accessPoint = accessPoint
    return tracker
  }
}
