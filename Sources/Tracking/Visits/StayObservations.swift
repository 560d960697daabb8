import Core
import Records

/// When the board was seen at a place, and the gaps. Times are nanoseconds of UTC.
struct StayObservations: Hashable, Sendable {
  /// In nanoseconds.
  static let maxGap = UnobservedPeriod.shortest.nanosecondsClamped
  /// Metres. A location with a smaller error shows that the board is at the place, not only near
  /// it.
  private static let sharpness = 50.0

  /// First and last sharp location close to the centre; nil: there was none.
  private(set) var first: Int64?
  private(set) var last: Int64?
  /// The total time in gaps, in which it was neither seen nor known to rest.
  private(set) var missed: Int64 = 0
  /// The long times without a location.
  private(set) var gaps = UnobservedPeriods()

  init() {}

  static func isSharp(_ seen: PlanarLocation) -> Bool { seen.sigma <= sharpness }

  /// Seen close to the centre.
  mutating func see(_ seen: PlanarLocation) {
    guard Self.isSharp(seen) else { return }
    if first == nil { first = seen.time }
    last = seen.time
  }

  /// With the final centre, the first location near it was earlier or later than assumed.
  mutating func begin(at time: Int64) { first = time }

  /// - Parameter end: when it was seen again, or known to rest.
  mutating func addGap(from start: Int64, to end: Int64) {
    guard end - start > Self.maxGap else { return }
    missed += end - start
    addUnlocatedTime(from: start, to: end)
  }

  /// Known to rest, but located only at the end.
  mutating func addUnlocatedTime(from start: Int64, to end: Int64) {
    guard end - start > Self.maxGap else { return }
    gaps.add(
      UnobservedPeriod(
        start: UTCInstant(nanoseconds: start), end: UTCInstant(nanoseconds: end)))
  }

  /// Continues a stay that seemed to have ended.
  mutating func resume(from visit: Visit) {
    first = visit.arrival.latest.nanoseconds
    missed += visit.unobserved.nanosecondsClamped
    gaps = UnobservedPeriods(visit.gaps.all + gaps.all)
  }

  static let fields: [SnapshotField<StayObservations>] = [
    .optional("sharp_first", \.first, .time), .optional("sharp_last", \.last, .time),
    .defaulted("missed_ns", \.missed, .duration, 0),
    .defaulted("gaps", \.gaps, gapsCoding, UnobservedPeriods()),
  ]

  private static let gapsCoding: SnapshotCoding<UnobservedPeriods> = SnapshotCoding<[Int64]>.list(
    0...2 * UnobservedPeriods.most, of: .time
  ).mapped(to: gaps(ending:), from: ends(of:))

  @Sendable private static func ends(of gaps: UnobservedPeriods) -> [Int64] {
    gaps.all.flatMap { [$0.start.nanoseconds, $0.end.nanoseconds] }
  }

  @Sendable private static func gaps(ending times: [Int64]) -> UnobservedPeriods? {
    guard times.count % 2 == 0 else { return nil }
    let gaps = stride(from: 0, to: times.count, by: 2).map {
      UnobservedPeriod(
        start: UTCInstant(nanoseconds: times[$0]), end: UTCInstant(nanoseconds: times[$0 + 1]))
    }
    return gaps.allSatisfy { $0.start < $0.end } ? UnobservedPeriods(gaps) : nil
  }
}
