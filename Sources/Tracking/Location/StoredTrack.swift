import Core
import Records

/// Which locations are stored as the track.
///
/// Stored are the locations that the policy wants; of a dense source (GNSS that is always on) also
/// those that carry the shape of the path; and of single fixes for other demands, such as an alert,
/// those that the line between the others would miss. No location is stored twice.
public struct StoredTrack: Sendable {
  /// The use of a location.
  public enum Purpose: Sendable {
    /// The policy wants it in the track.
    case point
    /// Another demand than the policy's requested it.
    case request
    /// No demand requested it.
    case passing
  }

  /// Whether locations come densely.
  public private(set) var isDense: Bool
  private let settings: TrajectorySettings
  private var simplifier: TrajectorySimplifier
  /// The session of the location that is not stored yet.
  private var session: Int64?
  /// The time of the last rest or departure that a sensor reported.
  private var felt: UTCInstant?

  public init(_ settings: TrajectorySettings, isDense: Bool) {
    self.settings = settings
    self.isDense = isDense
    simplifier = TrajectorySimplifier(settings)
  }

  /// The end of the line. It is stored once its continuation is known.
  public var end: TrackPoint? { shape(simplifier.pending, session) }

  /// - Parameters:
  ///   - purpose: locations of a dense source count for the shape, whatever their purpose.
  ///   - session: the one that gave the location.
  /// - Returns: the points to be stored now, in the order of time.
  public mutating func add(
    _ location: Location, for purpose: Purpose, session: Int64?
  ) -> [TrackPoint] {
    switch purpose {
    case .passing where !isDense: return []
    case .passing, .request:
      let last = simplifier.pending ?? simplifier.anchor
      if let last, location.time <= last.time { return [] }
      let isFirst = last == nil
      // At rest single fixes add nothing, however long it lasts.
      let kept = simplifier.add(location, isTimed: isDense)
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

  /// The board was there when a sensor reported rest or departure. Two reports of one moment count
  /// once.
  public mutating func rest(at location: Location) -> TrackPoint? {
    guard !isDense, location.time != felt else { return nil }
    felt = location.time
    return TrackPoint(location: location, reason: .rest)
  }

  /// - Returns: the end of the dense line when it ends.
  public mutating func become(dense: Bool) -> TrackPoint? {
    guard dense != isDense else { return nil }
    isDense = dense
    return dense ? nil : finish()
  }

  /// No line connects two dates.
  public mutating func restartForDate() -> TrackPoint? {
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
