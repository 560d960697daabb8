import Core

/// What a stored visit says of itself besides its times and its place.
public struct VisitClaims: Hashable, Sendable {
  /// Of the store.
  public let id: Int64
  let arrival: ClosedRange<UTCInstant>
  /// Nil: it is still open.
  let departure: ClosedRange<UTCInstant>?
  public let accuracy: Metres
  /// 0 to 1.
  public let confidence: Double
  public let destination: Int64?

  public init(
    id: Int64, arrival: ClosedRange<UTCInstant>, departure: ClosedRange<UTCInstant>?,
    accuracy: Metres, confidence: Double, destination: Int64?
  ) {
    self.id = id
    self.arrival = arrival
    self.departure = departure
    self.accuracy = accuracy
    self.confidence = confidence
    self.destination = destination
  }
}

/// Bounds of a moment against the true moment.
public struct BoundsCheck: Hashable, Sendable {
  public let width: Seconds
  /// How far outside the bounds the true moment lies: negative, before them; 0: within them.
  public let excess: Seconds

  /// Bounds are stored in milliseconds, and truths are often in whole seconds.
  private static let tolerance: Seconds = 1

  public init(width: Seconds, excess: Seconds) {
    self.width = width
    self.excess = excess
  }

  init(_ bounds: ClosedRange<UTCInstant>, around truth: UTCInstant) {
    width = bounds.upperBound - bounds.lowerBound
    excess = min(0, truth - bounds.lowerBound) + max(0, truth - bounds.upperBound)
  }

  public var holds: Bool { excess.magnitude <= Self.tolerance }
}

/// A visit that agrees with a true stay, and how far off its figures are.
public struct MatchedVisit: Hashable, Sendable {
  /// Positive: it is too late.
  public var arrivalError: Seconds
  /// Positive: it is too late.
  public var departureError: Seconds
  /// Nil: the true position is unknown.
  public var positionError: Metres?
  /// The accuracy of the position and the confidence as stored; nil: there are none.
  public var accuracy: Metres?
  public var confidence: Double?
  /// Nil: there are no bounds.
  public var arrival: BoundsCheck?
  public var departure: BoundsCheck?

  public init(
    arrivalError: Seconds, departureError: Seconds, positionError: Metres? = nil,
    accuracy: Metres? = nil, confidence: Double? = nil, arrival: BoundsCheck? = nil,
    departure: BoundsCheck? = nil
  ) {
    self.arrivalError = arrivalError
    self.departureError = departureError
    self.positionError = positionError
    self.accuracy = accuracy
    self.confidence = confidence
    self.arrival = arrival
    self.departure = departure
  }

  public init(_ found: Interval, of stay: Interval) {
    arrivalError = found.start - stay.start
    departureError = found.end - stay.end
    if let truth = stay.position, let position = found.position {
      positionError = Sphere.distance(truth, position)
    }
    guard let claims = found.claims else { return }
    accuracy = claims.accuracy
    confidence = claims.confidence
    arrival = BoundsCheck(claims.arrival, around: stay.start)
    departure = claims.departure.map { BoundsCheck($0, around: stay.end) }
  }
}
