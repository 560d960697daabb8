/// The idea that the board rests at one place, with all that is known for it. Metres are those of
/// the detector's plane, times are nanoseconds of UTC, speeds are metres per second (NaN: unknown).
struct StayHypothesis: Hashable, Sendable {
  /// A location as far as it has to be remembered.
  struct Moment: Hashable, Sendable {
    var time: Int64
    var x: Double
    var y: Double
    var speed: Double = .nan
    var sigma: Double = 0
  }

  var x: Double
  var y: Double
  /// First and last location within reach of the place; `core`: the last one close to its centre.
  var first: Int64
  var last: Int64
  var core: Int64
  /// Sum of the weights 1/sigma² and of weighted squared distances from the centre.
  var weight: Double
  var squares = 0.0
  var locations = 1
  var firstSigma: Double
  /// How far from the centre the board may have been at `core`, the location's error included.
  var coreReach: Double
  var bestSigma: Double
  var lastSpeed: Double
  /// Long enough to be a visit; `arrival` is then the settled estimate.
  var isVisit = false
  var arrival: Int64
  /// It was seen at the speed of a vehicle at the edge of the place.
  var rodeOff = false
  /// The last location before `first`; `arrivalEarliest` is the last one known to be elsewhere.
  var before: Moment?
  var arrivalEarliest: Int64
  /// Where and when the board was last seen at the speed of a vehicle before it came here.
  var vehicleBefore: Moment?

  init(_ seen: Moment, before: Moment?, vehicle: Moment?) {
    x = seen.x
    y = seen.y
    first = seen.time
    last = seen.time
    core = seen.time
    weight = 1 / (seen.sigma * seen.sigma)
    firstSigma = seen.sigma
    coreReach = seen.sigma
    bestSigma = seen.sigma
    lastSpeed = seen.speed
    arrival = seen.time
    self.before = before
    arrivalEarliest = before?.time ?? seen.time
    vehicleBefore = vehicle
  }

  /// Seen again close to its centre.
  mutating func seenInCore(_ seen: Moment) {
    core = seen.time
    coreReach = distance(to: seen) + seen.sigma
    rodeOff = false
  }

  func squaredDistance(to moment: Moment) -> Double {
    let dx = moment.x - x
    let dy = moment.y - y
    return dx * dx + dy * dy
  }

  func distance(to moment: Moment) -> Double { squaredDistance(to: moment).squareRoot() }

  /// The weighted mean moves by its share (West 1979: one pass, no cancellation).
  mutating func add(_ seen: Moment) {
    let w = 1 / (seen.sigma * seen.sigma)
    let dx = seen.x - x
    let dy = seen.y - y
    weight += w
    let share = w / weight
    x += dx * share
    y += dy * share
    squares += w * (1 - share) * (dx * dx + dy * dy)
    locations += 1
    last = seen.time
    lastSpeed = seen.speed
    if seen.sigma < bestSigma { bestSigma = seen.sigma }
  }

  /// Standard error of the centre. Errors of GNSS positions stay alike for about a minute, so that
  /// a dense source has fewer independent locations than it sends.
  var standardError: Double {
    let minutes = Double(last - first) / 60e9
    let independent = max(1, min(Double(locations), minutes))
    let claimed = Double(locations) / weight
    let scattered = squares / weight / 2
    return max(2, (max(claimed, scattered) / independent).squareRoot())
  }
}

/// The board seems to have left: where it has been seen since.
struct Absence: Hashable, Sendable {
  /// The newest place away from the stay, itself perhaps the next stay.
  var elsewhere: StayHypothesis
  /// The first location away, and how far from the stay it was.
  var first: Int64
  var distance: Double
  var locations = 1
}
