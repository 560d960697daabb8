import Quantities
import Records

/// Says where one line of the track ends and the next begins: after a gap in time, and at the
/// antimeridian, which no line may cross (RFC 7946 § 3.1.9).
struct TrackSegmenter: Sendable {
  /// Three significant-location updates (Algorithm 1's SLU, 300 s) without a point.
  static let longestGap: Seconds = 900

  private var last: Sighting?

  /// Whether this point begins a new line, also for the first one.
  mutating func begins(_ sighting: Sighting) -> Bool {
    defer { last = sighting }
    guard let last else { return true }
    let degrees = sighting.place.longitude - last.place.longitude
    return sighting.time - last.time > Self.longestGap || degrees.magnitude > 180
  }
}

/// Collects one line of the track for formats that want its end before its points. Long lines are
/// handed out in parts that share a point, so that memory stays bounded.
struct SegmentBuffer: Sendable {
  static let mostPoints = 2000

  private(set) var sightings: [Sighting] = []
  private var segmenter = TrackSegmenter()

  /// Adds a point and returns the line that it completed, if it did.
  mutating func add(_ sighting: Sighting) -> [Sighting]? {
    if segmenter.begins(sighting) { return replace(with: [sighting]) }
    sightings.append(sighting)
    return sightings.count == Self.mostPoints ? replace(with: [sighting]) : nil
  }

  /// The line that was open at the end. A single point that already ended the part before it is
  /// no line of its own.
  mutating func finish() -> [Sighting]? { replace(with: []) }

  private var startsWithSharedPoint = false

  private mutating func replace(with start: [Sighting]) -> [Sighting]? {
    let done = sightings
    let isLeftover = startsWithSharedPoint && done.count == 1
    startsWithSharedPoint = done.count == Self.mostPoints
    sightings = start
    return done.isEmpty || isLeftover ? nil : done
  }
}
