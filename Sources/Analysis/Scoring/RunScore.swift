import Core

/// The accuracy of a run against its truth; sums of several runs are possible.
public struct RunScore: Hashable, Sendable {
  /// Nil: the true stays are unknown.
  public var visits: VisitCounts?
  /// The absolute errors of found stays.
  public var arrivalErrors: [Seconds]
  public var departureErrors: [Seconds]
  /// Of found stays whose true position is known.
  public var positionErrors: [Metres]
  /// While moving, every ten seconds.
  public var route: RouteErrors
  /// The part of `route` with reception, where a fix was possible.
  public var routeWithReception: RouteErrors
  /// From each switch-on of the receiver to its first fix (TTFF).
  public var searchTimes: [Seconds]

  public init(
    visits: VisitCounts? = nil, arrivalErrors: [Seconds] = [], departureErrors: [Seconds] = [],
    positionErrors: [Metres] = [], route: RouteErrors = RouteErrors(),
    routeUnderSky: RouteErrors = RouteErrors(),
    searchTimes: [Seconds] = []
  ) {
    self.visits = visits
    self.arrivalErrors = arrivalErrors
    self.departureErrors = departureErrors
    self.positionErrors = positionErrors
    self.route = route
    self.routeWithReception = routeUnderSky
    self.searchTimes = searchTimes
  }

  public mutating func add(_ other: RunScore) {
    if let more = other.visits { visits = (visits ?? VisitCounts()) + more }
    arrivalErrors += other.arrivalErrors
    departureErrors += other.departureErrors
    positionErrors += other.positionErrors
    route.add(other.route)
    routeWithReception.add(other.routeWithReception)
    searchTimes += other.searchTimes
  }

  public var figures: ScoreFigures { ScoreFigures(self) }
}

/// A summary in a few numbers.
public struct ScoreFigures: Hashable, Sendable {
  /// The median and the 90th percentile.
  public struct Spread<Value: Quantity>: Hashable, Sendable {
    public let median: Value?
    public let p90: Value?

    init(_ values: [Value]) {
      let sorted = values.sorted()
      median = Ranks.median(sorted)
      p90 = Ranks.percentile(0.9, sorted)
    }
  }

  public let visits: VisitCounts?
  public let arrival: Spread<Seconds>
  public let departure: Spread<Seconds>
  public let position: Spread<Metres>
  public let searchTime: Spread<Seconds>
  public let routeMean: Metres?
  public let routeMedian: Metres?
  public let routeP95: Metres?
  public let routeWithReceptionP95: Metres?
  let routeMoments: Int

  init(_ score: RunScore) {
    visits = score.visits
    arrival = Spread(score.arrivalErrors)
    departure = Spread(score.departureErrors)
    position = Spread(score.positionErrors)
    searchTime = Spread(score.searchTimes)
    routeMean = score.route.mean
    routeMedian = score.route.percentile(0.5)
    routeP95 = score.route.percentile(0.95)
    routeWithReceptionP95 = score.routeWithReception.percentile(0.95)
    routeMoments = score.route.count
  }
}
