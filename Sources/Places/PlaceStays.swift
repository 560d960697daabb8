import Core
import Records

/// How often the board came to each place, and how long it is known to have stayed, from crossings
/// in the order in which they were stored.
public struct PlaceStays: Hashable, Sendable {
  /// Who passes by has not visited.
  public static let shortestVisit: Seconds = 300

  public struct Sum: Hashable, Sendable {
    /// How often it came, or was there when it was first located.
    public fileprivate(set) var entries = 0
    /// How often it stayed for more than a moment, as far as both ends are known.
    public fileprivate(set) var visits = 0
    /// All times together whose ends are known.
    public fileprivate(set) var dwell: Seconds = 0
    /// Since when it is there; nil: it is not.
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

  public mutating func take(_ crossing: Crossing) {
    var sum = sums[crossing.placeUUID] ?? Sum()
    switch crossing.change {
    case .entered:
      // Where no departure stands between two arrivals, nobody knows when that was.
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

  /// - Parameter now: up to when the stay counts that has not ended; nil: it does not count.
  public func sum(of place: String, until now: UTCInstant? = nil) -> Sum {
    var sum = sums[place] ?? Sum()
    if let now, let since = sum.since, now >= since {
      sum.end(at: now)
      sum.since = since
    }
    return sum
  }

  /// Of the places to which it came, in an order of no meaning.
  public var places: [String] { Array(sums.keys) }
}
