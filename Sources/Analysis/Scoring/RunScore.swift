import Core

/// The accuracy of a run against its truth; sums of several runs are possible.
public struct RunScore: Hashable, Sendable {
  /// Nil: the true stays are unknown.
  public var visits: VisitCounts?
  /// The visits that agree with a true stay.
  public var matches: [MatchedVisit]
  /// Of the visits that agree with none.
  public var inventedConfidences: [Double]
  /// The number of true places; nil: they are not all known.
  public var places: Int?
  /// The number of destinations of the visits.
  public var destinations: Int
  /// While moving, every ten seconds.
  public var route: RouteErrors
  /// The part of `route` with reception, where a fix was possible.
  public var routeWithReception: RouteErrors
  /// From each switch-on of the receiver to its first fix (TTFF).
  public var searchTimes: [Seconds]

  public init(
    visits: VisitCounts? = nil, matches: [MatchedVisit] = [], inventedConfidences: [Double] = [],
    places: Int? = nil, destinations: Int = 0, route: RouteErrors = RouteErrors(),
    routeUnderSky: RouteErrors = RouteErrors(), searchTimes: [Seconds] = []
  ) {
    self.visits = visits
    self.matches = matches
    self.inventedConfidences = inventedConfidences
    self.places = places
    self.destinations = destinations
    self.route = route
    self.routeWithReception = routeUnderSky
    self.searchTimes = searchTimes
  }

  public mutating func add(_ score: VisitScore) {
    add(
      RunScore(
        visits: score.counts, matches: score.matchedVisits,
        inventedConfidences: score.invented.compactMap { $0.claims?.confidence },
        places: score.places, destinations: score.destinations))
  }

  public mutating func add(_ other: RunScore) {
    if let more = other.visits {
      places = visits == nil ? other.places : Self.sum(places, other.places)
      visits = (visits ?? VisitCounts()) + more
    }
    matches += other.matches
    inventedConfidences += other.inventedConfidences
    destinations += other.destinations
    route.add(other.route)
    routeWithReception.add(other.routeWithReception)
    searchTimes += other.searchTimes
  }

  private static func sum(_ a: Int?, _ b: Int?) -> Int? {
    guard let a, let b else { return nil }
    return a + b
  }

  public var figures: ScoreFigures { ScoreFigures(self) }
}
