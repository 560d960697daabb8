import Notation
import Quantities
import Records

/// When the board was seen at a place, and for how long it was not. Times are nanoseconds of UTC.
struct StaySightings: Hashable, Sendable {
  /// In nanoseconds.
  static let maxGap = UnwatchedTime.shortest.nanosecondsClamped
  /// Metres. A location with a smaller error says that the board is at the place, and not only
  /// somewhere near it.
  private static let sharpness = 50.0

  /// First and last sharp location close to the centre; nil: there was none.
  private(set) var first: Int64?
  private(set) var last: Int64?
  /// How long it was neither seen nor known to rest, in gaps.
  private(set) var missed: Int64 = 0
  private var gapStart: Int64 = 0
  private var gapEnd: Int64 = 0

  init() {}

  /// The longest time without a location.
  var gap: UnwatchedTime? {
    guard gapEnd > gapStart else { return nil }
    return UnwatchedTime(
      start: UTCInstant(nanoseconds: gapStart), end: UTCInstant(nanoseconds: gapEnd))
  }

  static func isSharp(_ seen: PlanarLocation) -> Bool { seen.sigma <= sharpness }

  /// Seen close to the centre.
  mutating func see(_ seen: PlanarLocation) {
    guard Self.isSharp(seen) else { return }
    if first == nil { first = seen.time }
    last = seen.time
  }

  /// The centre has settled: the first location near it was earlier, or later, than it seemed.
  mutating func begin(at time: Int64) { first = time }

  /// - Parameter end: when it was seen again, or known to rest.
  mutating func pass(from start: Int64, to end: Int64) {
    guard end - start > Self.maxGap else { return }
    missed += end - start
    lack(from: start, to: end)
  }

  /// Known to rest, but not where: the place was located only at the end.
  mutating func lack(from start: Int64, to end: Int64) {
    guard end - start > Self.maxGap, end - start > gapEnd - gapStart else { return }
    gapStart = start
    gapEnd = end
  }

  /// It is the same stay as one that seemed to have ended.
  mutating func goOn(from visit: Visit) {
    first = visit.arrival.latest.nanoseconds
    missed += visit.unwatched.nanosecondsClamped
    if let gap = visit.gap, gap.duration.nanosecondsClamped > gapEnd - gapStart {
      gapStart = gap.start.nanoseconds
      gapEnd = gap.end.nanoseconds
    }
  }

  static let fields: [SnapshotField<StaySightings>] = [
    .optional("sharp_first", \.first, .time), .optional("sharp_last", \.last, .time),
    .defaulted("missed_ns", \.missed, .duration, 0),
    .defaulted("gap_start", \.gapStart, .time, 0), .defaulted("gap_end", \.gapEnd, .time, 0),
  ]
}
