import Core
import Records

/// How much a receiver knew when it started, as far as what went before says.
public enum StartKnowledge: String, Sendable, CaseIterable {
  /// Less than half an hour after thirty seconds of tracking, in which the ephemeris of all
  /// satellites in view was received.
  case hot
  /// Four hours and more after the last fix: no ephemeris is valid any more. Or told to forget it.
  case warm
  /// After a cut without backup supply, or told to forget everything.
  case cold
  /// Between them, or nobody knows what went before.
  case uncertain
}

/// One start of the receiver that led to a fix.
struct ReceiverStart {
  let knowledge: StartKnowledge
  /// What it was told to forget; nil: nothing was said.
  var restart: GnssSession.Restart?
  let timeToFirstFix: Seconds
  /// Since the receiver last had a fix; nil: not known.
  let gap: Seconds?
  /// Whether the location that followed is as accurate as those under open sky are; nil: none was
  /// stored.
  let isOpenSky: Bool?

  /// A whole frame of the navigation message takes 30 s (IS-GPS-200, subframes 1 to 5).
  static let gathering: Seconds = 30
  /// Until then the satellites in view are about the same.
  static let skyStays = Seconds.minutes(30)
  /// u-blox allows 4 h for a hot start, Quectel 2 h.
  static let ephemerisLife = Seconds.hours(4)
  /// Under open sky receivers claim 2 to 6 m, between houses 9 m and more.
  static let openSkyAccuracy: Metres = 8
}

/// The starts of one store in their order.
struct StartHistory {
  private(set) var starts: [ReceiverStart] = []
  /// Sessions in which, or between which, the clock was set: what went before is not known there.
  private(set) var clockSteps = 0
  /// How long the hot searches took that ended without a fix, although the sky was open at the
  /// starts before and after them.
  private(set) var unfinished: [Seconds] = []
  /// Those since the last start, of which the next one tells; nil: that was not under open sky.
  private var doubtful: [Seconds]?

  /// When the last fix was, and when the last session ended that gathered ephemeris.
  private var lastFix: UTCInstant?
  private var lastGathering: UTCInstant?
  /// Ends of the last times without supply.
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
    obey(session.restart)
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

  /// What it was told to forget it does not know after its next session, either, if that has no
  /// fix.
  private mutating func obey(_ restart: GnssSession.Restart?) {
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
      // A receiver that is told something has its supply.
      guard restart == .hot else { return .uncertain }
    }
    if let lastGathering, on - lastGathering <= ReceiverStart.skyStays { return .hot }
    return on - lastFix >= ReceiverStart.ephemerisLife ? .warm : .uncertain
  }

  /// Whether the board's own clock and the dates agree on how long it lasted.
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
