import Core
import Records

/// Which locations are stored as the track.
///
/// Those that the policy wants. Beside them, of a dense source (GNSS that is always on), those that
/// carry the shape of the way; of single looks that something else asked for, as an alert, those
/// that the line between the others would pass by. No location is stored twice.
public struct StoredTrack: Sendable {
  /// What a location is for.
  public enum Purpose: Sendable {
    /// The policy wants it in the track.
    case point
    /// Something else than the policy has asked for it.
    case look
    /// It came with others.
    case passing
  }

  /// Whether locations come densely.
  public private(set) var isDense: Bool
  private let settings: TrajectorySettings
  private var simplifier: TrajectorySimplifier
  /// Of the location that is not stored yet.
  private var session: Int64?
  /// Of the last rest or departure that was felt.
  private var felt: UTCInstant?

  public init(_ settings: TrajectorySettings, isDense: Bool) {
    self.settings = settings
    self.isDense = isDense
    simplifier = TrajectorySimplifier(settings)
  }

  /// The end of the line, which is stored once it is known how it goes on.
  public var end: TrackPoint? { shape(simplifier.pending, session) }

  /// - Parameters:
  ///   - purpose: a dense source's locations count for the shape, whoever asked for them.
  ///   - session: the one that gave it.
  /// - Returns: what has to be stored because of it, in the order of time.
  public mutating func take(
    _ location: Location, for purpose: Purpose, session: Int64?
  ) -> [TrackPoint] {
    switch purpose {
    case .passing where !isDense: return []
    case .passing, .look:
      let last = simplifier.pending ?? simplifier.anchor
      if let last, location.time <= last.time { return [] }
      let isFirst = last == nil
      // At rest single looks tell nothing new, however long it lasts.
      let kept = simplifier.take(location, isTimed: isDense)
      let point = shape(kept, isFirst ? session : self.session)
      self.session = session
      return point.map { [$0] } ?? []
    case .point:
      let isStored = simplifier.anchor?.time == location.time
      var points: [TrackPoint] = []
      if let before = shape(simplifier.keep(location), self.session) { points.append(before) }
      guard !isStored else { return points }
      return points + [TrackPoint(location: location, reason: .scheduled, session: session)]
    }
  }

  /// The board was there at the moment at which it was felt to come to rest or to leave. What is
  /// found out twice of one moment counts once.
  public mutating func rest(at location: Location) -> TrackPoint? {
    guard !isDense, location.time != felt else { return nil }
    felt = location.time
    return TrackPoint(location: location, reason: .rest)
  }

  /// - Returns: the end of the dense line, where there is none any more.
  public mutating func become(dense: Bool) -> TrackPoint? {
    guard dense != isDense else { return nil }
    isDense = dense
    return dense ? nil : finish()
  }

  /// No line leads from one date to another.
  public mutating func beginAnew() -> TrackPoint? {
    defer { simplifier = TrajectorySimplifier(settings) }
    return finish()
  }

  /// The end of the data: the last location belongs to the line.
  public mutating func finish() -> TrackPoint? { shape(simplifier.finish(), session) }

  private func shape(_ location: Location?, _ session: Int64?) -> TrackPoint? {
    location.map { TrackPoint(location: $0, reason: .shape, session: session) }
  }

  /// Goes on in a store whose ids are not this run's.
  mutating func renumber(by shift: Renumbering) { session = session.map { $0 + shift.sessions } }
}
