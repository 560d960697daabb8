import Core
import Records

/// A track of any length in bounded memory, with all its lines.
struct ThinnedTrack: Sendable {
  static let maxPoints = 50_000

  typealias Point = ThinnedSeries<Location>.Point

  private var series = ThinnedSeries<Location>(maxPoints: maxPoints)
  private var segmenter = TrackSegmenter()

  /// Its start and end; nil: it is empty.
  var times: (first: UTCInstant, last: UTCInstant)? {
    guard let first = points.first, let last = points.last else { return nil }
    return (first.value.time, last.value.time)
  }

  var points: [Point] { series.points }

  mutating func add(_ location: Location) {
    series.add(location, beginsLine: segmenter.advance(to: location))
  }
}
