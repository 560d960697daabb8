import Core
import Places
import Records

/// The last known position of the board.
struct LastKnownPosition {
  let position: Coordinate
  let accuracy: Metres?
  /// Over ground; nil if the board is at rest, or the fix is too old.
  private(set) var speed: MetresPerSecond?
  /// Clockwise from true north; nil like the speed.
  private(set) var heading: Degrees?
  /// "seen by GNSS 3 min ago", "seen last at 2026-05-04 07:12:02"
  let source: String

  /// Slower than this, a course over ground is noise.
  private static let slowest: MetresPerSecond = 0.5
  /// A movement older than this is no evidence of the present one.
  private static let oldest: Seconds = 60

  /// From the daemon's status or an event; nil if it has no position.
  init?(_ fix: JSONValue?) {
    guard let latitude = fix?["lat"]?.number, let longitude = fix?["lon"]?.number,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude)
    else { return nil }
    self.position = position
    accuracy = fix?["accuracy_m"]?.number.map { Metres($0) }
    let age = fix?["age_s"]?.number.map { Seconds($0) }
    source = age.map { "located by GNSS \($0.inWords) ago" } ?? "located by GNSS"
    guard let speed = fix?["speed_m_s"]?.number.map({ MetresPerSecond($0) }),
      speed >= Self.slowest, age ?? 0 <= Self.oldest
    else { return }
    self.speed = speed
    heading = fix?["track_deg"]?.number.map { Degrees($0) }
  }

  init(_ point: TrackPoint) {
    position = point.location.position
    accuracy = point.location.accuracy
    source = "last located at \(LocalTime.text(point.location.time))"
  }

  /// A position given by the user.
  init(given position: Coordinate) {
    self.position = position
    accuracy = nil
    source = "from the specified position"
  }

  // MARK: The way from there

  /// "↗ north-east (47°), 1.2 km to Museum, edge in 1.1 km, 14 min; seen by GNSS 2 s ago"
  ///
  /// - Parameters:
  ///   - name: the name of the target.
  ///   - edge: the distance to its edge, negative inside; nil: it has none.
  func directions(to name: String, at target: Coordinate, edge: Metres? = nil) -> String {
    let way = PlaceDirection(from: position, heading: heading, to: target)
    let time = speed.flatMap { way.time(at: $0) }
    let parts: [String?] = [
      "\(way.arrow) \(way.compassWord) (\(FixedDecimal.text(way.bearing.value, digits: 0))°)",
      "\(way.distance.inWords) to \(name)",
      edge.map { $0 <= 0 ? "inside" : "edge in \($0.inWords)" },
      time.map { "\($0.inWords) at this speed" },
      accuracy.map { "known within \($0.inWords)" },
      source,
    ]
    return TerminalText.line(parts.compactMap { $0 }.joined(separator: ", "))
  }
}
