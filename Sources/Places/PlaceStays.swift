import Core
import Records

/// The number of arrivals at each place, and the known length of stays, from crossings in the order
/// of storage.
public struct PlaceStays: Hashable, Sendable {
  /// A shorter stay means passing by.
  static let shortestVisit: Seconds = 300

  public struct Sum: Hashable, Sendable {
    /// Arrivals, including being there at the first location.
    public fileprivate(set) var entries = 0
    /// Stays of at least `shortestVisit`, of those with both ends known.
    public fileprivate(set) var visits = 0
    /// The total length of stays with both ends known.
    public fileprivate(set) var dwell: Seconds = 0
    /// The begin of the stay in progress; nil: there is none.
    public fileprivate(set) var since: UTCInstant?

    fileprivate mutating func end(at time: UTCInstant) {
      guard let since, time >= since else { return }
      let stay = time - since
      dwell += stay
      if stay >= PlaceStays.shortestVisit { visits += 1 }
      self.since = nil
    }
  }

  private var sums: [String: Sum] = [:]

  public init() {}

  public mutating func add(_ crossing: Crossing) {
    var sum = sums[crossing.placeUUID] ?? Sum()
    switch crossing.change {
    case .entered:
      // The departure between two arrivals is missing, and its time unknown.
      sum.entries += 1
      sum.since = crossing.time
    case .found:
      if sum.since == nil {
        sum.entries += 1
        sum.since = crossing.time
      }
    case .left:
      sum.end(at: crossing.time)
      sum.since = nil
    }
    sums[crossing.placeUUID] = sum
  }

  /// - Parameter now: the assumed end of a stay in progress; nil: it does not count.
  public func sum(of place: String, until now: UTCInstant? = nil) -> Sum {
    var sum = sums[place] ?? Sum()
    if let now, let since = sum.since, now >= since {
      sum.end(at: now)
      sum.since = since
    }
    return sum
  }

  /// The places with arrivals, in no particular order.
  public var places: [String] { Array(sums.keys) }
}
