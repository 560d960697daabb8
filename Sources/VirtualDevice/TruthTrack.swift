import Core

/// The truth of a simulation, position after position, for comparison with the stored track.
///
/// It has its own copy of a truth. Everything except stays counts as moving. A stay is one that the
/// truth marks as such, or a rest as long as the shortest stay, at no more than the speed at which
/// a movement begins (`TruthAhead`). So the positions of a rest are held back until its length is
/// known.
public struct TruthTrack {
  public struct Point: Hashable, Sendable {
    public let time: UTCInstant
    public let state: TrueState
    /// Accurate to one interval.
    public fileprivate(set) var isUnderWay = true
  }

  static let interval: Seconds = 10

  private let truth: any GroundTruth
  private let shortestStay: Seconds
  private var time: UTCInstant
  /// The points of a rest that is not known to be a stay.
  private var waiting: [Point] = []
  private var stays = false
  /// Whether the truth marked the last position as a stay. It does so for unknown positions, too,
  /// so this counts only if the next position is known.
  private var isSettled = false

  /// - Parameters:
  ///   - truth: `another()` is called at once, so it must not have been queried.
  ///   - shortestStay: a shorter rest counts as moving.
  public init(_ truth: any GroundTruth, shortestStay: Seconds) {
    self.truth = truth.another()
    self.shortestStay = shortestStay
    time = truth.start
  }

  /// The points before `end` that have become final since the last call; none where the truth is
  /// unknown.
  public mutating func read(until end: UTCInstant) -> [Point] {
    var known: [Point] = []
    while time < end, !truth.hasEnded {
      if let state = truth.state(at: time) {
        take(Point(time: time, state: state), into: &known)
      } else {
        isSettled = false
        endRest(into: &known)
      }
      time = time + Self.interval
    }
    return known
  }

  /// The points held back; nothing follows them.
  public mutating func finish() -> [Point] {
    var known: [Point] = []
    endRest(into: &known)
    return known
  }

  private mutating func take(_ point: Point, into known: inout [Point]) {
    let settled = truth.settled(at: point.time) != nil
    guard settled || point.state.speed <= TruthAhead.movingSpeed else {
      endRest(into: &known)
      known.append(point)
      return
    }
    waiting.append(point)
    stays = stays || isSettled || point.time - waiting[0].time >= shortestStay
    isSettled = settled
    if stays { releaseRest(into: &known) }
  }

  private mutating func endRest(into known: inout [Point]) {
    stays = stays || isSettled
    releaseRest(into: &known)
    stays = false
    isSettled = false
  }

  private mutating func releaseRest(into known: inout [Point]) {
    for var point in waiting {
      point.isUnderWay = !stays
      known.append(point)
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
