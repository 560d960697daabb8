import Quantities
import Records

/// A track of any length in bounded memory: of a very long one every second, fourth … point, with
/// all its lines, its first point and its last.
struct ThinnedTrack: Sendable {
  static let maxPoints = 50_000

  struct Point: Sendable {
    let location: Location
    /// Whether no line leads to it.
    var beginsLine: Bool
  }

  private var kept: [Point] = []
  /// The newest, if it is not among those.
  private var last: Point?
  private var count = 0
  private var stride = 1
  private var segmenter = TrackSegmenter()

  /// When it begins and ends; nil: it is empty.
  var times: (first: UTCInstant, last: UTCInstant)? {
    guard let first = kept.first, let last = points.last else { return nil }
    return (first.location.time, last.location.time)
  }

  var points: [Point] { kept + (last.map { [$0] } ?? []) }

  mutating func add(_ location: Location) {
    // A line begins where one began since the last that was kept.
    let begins = segmenter.advance(to: location) || last?.beginsLine ?? false
    let point = Point(location: location, beginsLine: begins)
    defer { count += 1 }
    guard count % stride == 0 else { return last = point }
    kept.append(point)
    last = nil
    if kept.count > Self.maxPoints { thin() }
  }

  private mutating func thin() {
    stride *= 2
    var thinned: [Point] = []
    for index in kept.indices where index % 2 == 0 {
      var point = kept[index]
      if index > 0, kept[index - 1].beginsLine { point.beginsLine = true }
      thinned.append(point)
    }
    // The newest was left out where their number is even.
    if kept.count % 2 == 0 { last = kept.last }
    kept = thinned
  }
}
