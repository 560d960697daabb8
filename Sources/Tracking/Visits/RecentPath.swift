/// The last few minutes of locations, thinned, in a ring of fixed size: what is needed to tell when
/// exactly the board came to a place that proves a stay only minutes later.
struct RecentPath: Hashable, Sendable {
  static let capacity = 96
  /// 96 samples at 5 s or more apart reach back 8 minutes.
  static let spacing: Int64 = 5_000_000_000

  private var ring: [StayHypothesis.Moment] = []
  private var oldest = 0

  var newest: StayHypothesis.Moment? {
    ring.isEmpty ? nil : ring[(oldest + ring.count - 1) % ring.count]
  }

  /// Oldest first.
  var moments: [StayHypothesis.Moment] { Array(ring[oldest...] + ring[..<oldest]) }

  private var newestTime = Int64.min

  mutating func append(_ moment: StayHypothesis.Moment) {
    guard newestTime == .min || moment.time - newestTime >= Self.spacing else { return }
    newestTime = moment.time
    if ring.count < Self.capacity {
      ring.append(moment)
    } else {
      ring[oldest] = moment
      oldest = oldest + 1 == Self.capacity ? 0 : oldest + 1
    }
  }

  mutating func move(_ change: (inout StayHypothesis.Moment) -> Void) {
    for index in ring.indices { change(&ring[index]) }
  }
}
