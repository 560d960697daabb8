import Core

/// A summary of a score in a few numbers.
public struct ScoreFigures: Hashable, Sendable {
  /// How far a visit may be from its true place where it has to be found there, too.
  public static let (near, far): (Metres, Metres) = (50, 100)

  public let visits: VisitCounts?
  /// The same, of which only visits at most that far from their true place count as found; nil:
  /// true places are unknown.
  public let visitsNear: VisitCounts?
  public let visitsFar: VisitCounts?
  /// True places, and destinations of the visits; nil: the places are unknown.
  public let places: Int?
  public let destinations: Int?
  public let arrival: Spread<Seconds>
  public let departure: Spread<Seconds>
  public let position: Spread<Metres>
  /// The share of visits whose true place is within the accuracy of their position, and within
  /// twice that.
  public let withinAccuracy: Double?
  public let withinTwiceAccuracy: Double?
  public let arrivalBounds: Bounds
  public let departureBounds: Bounds
  /// The lowest confidence first, without the classes that have no visits.
  public let confidence: [ConfidenceClass]
  public let searchTime: Spread<Seconds>
  public let routeMean: Metres?
  public let routeMedian: Metres?
  public let routeP95: Metres?
  public let routeWithReceptionP95: Metres?
  let routeMoments: Int

  init(_ score: RunScore) {
    visits = score.visits
    let positions = score.matches.compactMap(\.positionError)
    let isPlaced = score.places != nil && positions.count == score.matches.count
    func counts(within limit: Metres) -> VisitCounts? {
      guard isPlaced, let visits = score.visits else { return nil }
      return visits.without(positions.count { $0 > limit })
    }
    visitsNear = counts(within: Self.near)
    visitsFar = counts(within: Self.far)
    places = isPlaced ? score.places : nil
    destinations = isPlaced ? score.destinations : nil
    arrival = Spread(score.matches.map(\.arrivalError.magnitude))
    departure = Spread(score.matches.map(\.departureError.magnitude))
    position = Spread(positions)
    let claimed = score.matches.compactMap { visit in
      visit.positionError.flatMap { error in visit.accuracy.map { error / $0 } }
    }
    withinAccuracy = Self.share(of: claimed) { $0 <= 1 }
    withinTwiceAccuracy = Self.share(of: claimed) { $0 <= 2 }
    arrivalBounds = Bounds(score.matches.compactMap(\.arrival))
    departureBounds = Bounds(score.matches.compactMap(\.departure))
    confidence = ConfidenceClass.all(
      right: score.matches.compactMap(\.confidence), wrong: score.inventedConfidences)
    searchTime = Spread(score.searchTimes)
    routeMean = score.route.mean
    routeMedian = score.route.percentile(0.5)
    routeP95 = score.route.percentile(0.95)
    routeWithReceptionP95 = score.routeWithReception.percentile(0.95)
    routeMoments = score.route.count
  }

  /// Nil: there are no values.
  fileprivate static func share<Value>(
    of values: [Value], _ isMet: (Value) -> Bool
  ) -> Double? {
    values.isEmpty ? nil : Double(values.count(where: isMet)) / Double(values.count)
  }
}

extension ScoreFigures {
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

  /// The earliest and latest times of all arrivals, or of all departures.
  public struct Bounds: Hashable, Sendable {
    /// The share with the true time within them; nil: there are none.
    public let share: Double?
    /// The median of their widths.
    public let width: Seconds?

    init(_ checks: [BoundsCheck]) {
      share = ScoreFigures.share(of: checks, \.holds)
      width = Ranks.median(checks.map(\.width).sorted())
    }
  }

  /// The visits of about the same confidence: a fifth of its range.
  public struct ConfidenceClass: Hashable, Sendable {
    public let visits: Int
    /// The mean of their confidences.
    public let confidence: Double
    /// The share of them that agrees with a true stay.
    public let right: Double

    static func all(right: [Double], wrong: [Double]) -> [ConfidenceClass] {
      func fifth(_ confidence: Double) -> Int { min(4, Int(max(0, confidence) * 5)) }
      let ofRight = Dictionary(grouping: right, by: fifth)
      let ofWrong = Dictionary(grouping: wrong, by: fifth)
      return (0..<5).compactMap { index in
        let all = ofRight[index, default: []] + ofWrong[index, default: []]
        guard !all.isEmpty else { return nil }
        return ConfidenceClass(
          visits: all.count, confidence: all.reduce(0, +) / Double(all.count),
          right: Double(ofRight[index, default: []].count) / Double(all.count))
      }
    }
  }
}
