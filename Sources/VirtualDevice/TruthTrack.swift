import Core

/// The truth of a simulation, position after position, for whoever compares with it what was
/// stored.
///
/// It follows a truth of its own. Under way is what is no stay: neither one that the truth knows as
/// such, nor a rest as long as the shortest stay, at no more than the speed at which a movement
/// begins (`TruthAhead`). So the positions of a rest are held back until its length is known.
public struct TruthTrack {
  public struct Point: Hashable, Sendable {
    public let time: UTCInstant
    public let state: TrueState
    /// To within one interval.
    public fileprivate(set) var isUnderWay = true
  }

  public static let interval: Seconds = 10

  private let truth: any GroundTruth
  private let shortestStay: Seconds
  private var time: UTCInstant
  /// Of a rest that is not known to be a stay.
  private var waiting: [Point] = []
  private var stays = false
  /// Whether the truth said so of the last position. It says the same of what it does not know, so
  /// that counts only if the next position is known.
  private var isSettled = false

  /// - Parameters:
  ///   - truth: asked for `another()` at once, so before it is queried.
  ///   - shortestStay: a shorter rest is part of the way.
  public init(_ truth: any GroundTruth, shortestStay: Seconds) {
    self.truth = truth.another()
    self.shortestStay = shortestStay
    time = truth.start
  }

  /// The points before `end` that have become known since the last call; none where the truth is
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

  /// What was held back; nothing follows it.
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
