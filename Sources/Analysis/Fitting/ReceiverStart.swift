import Core
import Records

/// A receiver's navigation data at its start, as far as the previous sessions show.
public enum StartKnowledge: String, Sendable, CaseIterable {
  /// Less than half an hour after thirty seconds of tracking, in which the ephemeris of all
  /// satellites in view was received.
  case hot
  /// Four hours or more after the last fix, with no valid ephemeris; or commanded to discard it.
  case warm
  /// After a cut without backup supply, or commanded to discard everything.
  case cold
  /// Between these, or the previous state is unknown.
  case uncertain
}

/// One start of the receiver that led to a fix.
struct ReceiverStart {
  let knowledge: StartKnowledge
  /// The commanded restart; nil: none.
  var restart: GnssSession.Restart?
  let timeToFirstFix: Seconds
  /// Time since the receiver's last fix; nil: unknown.
  let gap: Seconds?
  /// Whether the following location is as accurate as under open sky; nil: none was stored.
  let isOpenSky: Bool?

  /// A whole frame of the navigation message takes 30 s (IS-GPS-200, subframes 1 to 5).
  static let gathering: Seconds = 30
  /// Until then the satellites in view are about the same.
  static let receptionPersists = Seconds.minutes(30)
  /// u-blox allows 4 h for a hot start, Quectel 2 h.
  static let ephemerisLife = Seconds.hours(4)
  /// Under open sky receivers claim 2 to 6 m, between buildings 9 m and more.
  static let openSkyAccuracy: Metres = 8
}

/// The starts of one store, in order.
struct StartHistory {
  private(set) var starts: [ReceiverStart] = []
  /// Sessions during or between which the clock was set: the previous state is unknown there.
  private(set) var clockSteps = 0
  /// The durations of hot searches without a fix between two starts under open sky.
  private(set) var unfinished: [Seconds] = []
  /// Those since the last start, to be confirmed by the next one; nil: it was not under open sky.
  private var doubtful: [Seconds]?

  /// The last fix, and the end of the last session that received all ephemeris.
  private var lastFix: UTCInstant?
  private var lastGathering: UTCInstant?
  /// The periods without supply.
  private let cuts: [(from: UTCInstant, to: UTCInstant)]
  private let keepsNavigationData: Bool

  init(_ run: MeasuredRun) {
    keepsNavigationData = run.keepsNavigationData
    cuts = run.segments.filter { $0.state == .off || $0.state == .coarse }
      .map { (from: $0.start, to: $0.start + $0.duration) }.sorted { $0.from < $1.from }
    for session in run.sessions.sorted(by: { $0.id < $1.id }) {
      take(session, accuracy: run.accuracies[session.id])
    }
  }

  private mutating func take(_ session: GnssSession, accuracy: Metres?) {
    guard let on = session.on else { return forget() }
    let isSteady = isSteady(session)
    if !isSteady || lastFix.map({ on < $0 }) ?? false {
      clockSteps += 1
      forget()
    }
    apply(session.restart)
    guard let time = session.timeToFirstFix else {
      return endSearch(session, knowledge(at: on, session.restart))
    }
    guard time.isFinite, time > 0, time <= 3600 else { return }
    let isOpenSky = accuracy.map { $0 <= ReceiverStart.openSkyAccuracy }
    noteStart(isOpenSky: isOpenSky == true)
    starts.append(
      ReceiverStart(
        knowledge: knowledge(at: on, session.restart), restart: session.restart,
        timeToFirstFix: time, gap: lastFix.map { on - $0 },
        isOpenSky: isOpenSky))
    guard isSteady, let off = session.off, let duration = session.duration else { return forget() }
    lastFix = off
    if duration - time >= ReceiverStart.gathering { lastGathering = off }
  }

  private mutating func endSearch(_ session: GnssSession, _ knowledge: StartKnowledge) {
    guard knowledge == .hot, let duration = session.duration else { return }
    doubtful?.append(duration)
  }

  private mutating func noteStart(isOpenSky: Bool) {
    if isOpenSky { unfinished += doubtful ?? [] }
    doubtful = isOpenSky ? [] : nil
  }

  /// Discarded data stays discarded after the next session if that has no fix.
  private mutating func apply(_ restart: GnssSession.Restart?) {
    switch restart {
    case .hot, nil: break
    case .warm: lastGathering = nil
    case .cold: forget()
    }
  }

  private mutating func forget() {
    doubtful = nil
    lastFix = nil
    lastGathering = nil
  }

  private func knowledge(
    at on: UTCInstant, _ restart: GnssSession.Restart?
  ) -> StartKnowledge {
    switch restart {
    case .cold: return .cold
    case .warm: return .warm
    case .hot, nil: break
    }
    guard let lastFix else { return .uncertain }
    if !keepsNavigationData {
      if wasCut(from: lastFix, to: on) { return .cold }
      // A receiver that accepts a command has its supply.
      guard restart == .hot else { return .uncertain }
    }
    if let lastGathering, on - lastGathering <= ReceiverStart.receptionPersists { return .hot }
    return on - lastFix >= ReceiverStart.ephemerisLife ? .warm : .uncertain
  }

  /// Whether the board's own clock and the dates agree on its duration.
  private func isSteady(_ session: GnssSession) -> Bool {
    guard let on = session.on, let off = session.off, let duration = session.duration,
      duration.isFinite
    else { return true }
    return (off - on - duration).magnitude < 5
  }

  /// Whether the supply was cut between two moments.
  private func wasCut(from: UTCInstant, to: UTCInstant) -> Bool {
    var low = 0
    var high = cuts.count
    while low < high {
      let middle = (low + high) / 2
      if cuts[middle].to <= from { low = middle + 1 } else { high = middle }
    }
    return low < cuts.count && cuts[low].from < to
  }
}
