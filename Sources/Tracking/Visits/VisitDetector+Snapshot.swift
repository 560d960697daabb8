import Notation
import Quantities
import Records

extension VisitDetector {
  /// All that is needed to go on after a restart, also in the middle of a visit.
  public var snapshot: JSONValue {
    let origin = plane.origin
    let members: [(name: String, value: JSONValue)] = [
      ("next_id", .number(Double(nextID))),
      ("latitude", .number(origin.latitude.value)),
      ("longitude", .number(origin.longitude.value)),
      ("stay", stay?.snapshot ?? .null),
      ("absence", absence?.snapshot ?? .null),
      ("previous", previous?.snapshot ?? .null),
      ("reference", reference?.snapshot ?? .null),
      ("implied_speed", Self.number(impliedSpeed)),
      ("vehicle", vehicle?.snapshot ?? .null),
      ("path", .array(path.moments.map(\.snapshot))),
      ("announced", announced?.snapshot ?? .null),
      ("ended", ended?.snapshot ?? .null),
    ]
    return .object(members)
  }

  /// Goes on from a snapshot. One that is damaged leaves a detector that begins afresh.
  public mutating func restore(_ snapshot: JSONValue) {
    guard let latitude = snapshot["latitude"]?.number,
      let longitude = snapshot["longitude"]?.number,
      let origin = Coordinate(checkedLatitude: latitude, longitude: longitude),
      let id = snapshot["next_id"]?.count, let previous = Moment(snapshot["previous"]),
      let stay = StayHypothesis(snapshot["stay"])
    else { return }
    plane = .init(origin: origin)
    // The store may know of later visits than the snapshot does.
    nextID = max(nextID, Int64(id))
    self.stay = stay
    self.previous = previous
    absence = Absence(snapshot["absence"])
    reference = Moment(snapshot["reference"])
    impliedSpeed = Self.length(snapshot["implied_speed"]) ?? .nan
    vehicle = Moment(snapshot["vehicle"])
    path = RecentPath()
    for moment in snapshot["path"]?.array ?? [] {
      if let moment = Moment(moment) { path.append(moment) }
    }
    announced = Visit(snapshot["announced"])
    ended = Visit(snapshot["ended"])
  }

  /// What JSON cannot say (not a number) is null.
  static func number(_ value: Double) -> JSONValue { value.isFinite ? .number(value) : .null }
  /// A place on the plane: farther than around the Earth is damage, and what is computed from it
  /// would leave the range of whole numbers.
  static func metres(_ json: JSONValue?) -> Double? {
    json?.number.flatMap { $0.magnitude <= 1e8 ? $0 : nil }
  }
  /// What cannot be negative: a length or a speed.
  static func length(_ json: JSONValue?) -> Double? { metres(json).flatMap { $0 >= 0 ? $0 : nil } }
  /// Nanoseconds do not fit into a JSON number.
  static func time(_ nanoseconds: Int64) -> JSONValue { .string(String(nanoseconds)) }
  /// The year 2200: no recording is from later.
  private static let lastTime: Int64 = 7_258_118_400_000_000_000
  /// Times that no receiver could have told are damage; neither would their sums and differences
  /// fit.
  static func time(_ json: JSONValue?) -> Int64? {
    guard let time = json?.string.flatMap({ Int64($0) }), FixGate.firstTime.nanoseconds <= time,
      time <= lastTime
    else { return nil }
    return time
  }
}

extension StayHypothesis.Moment {
  var snapshot: JSONValue {
    .array([
      VisitDetector.time(time), .number(x), .number(y), VisitDetector.number(speed), .number(sigma),
    ])
  }

  init?(_ json: JSONValue?) {
    guard let parts = json?.array, parts.count == 5, let time = VisitDetector.time(parts[0]),
      let x = VisitDetector.metres(parts[1]), let y = VisitDetector.metres(parts[2]),
      let sigma = VisitDetector.length(parts[4])
    else { return nil }
    self.init(time: time, x: x, y: y, speed: VisitDetector.length(parts[3]) ?? .nan, sigma: sigma)
  }
}

extension StayHypothesis {
  var snapshot: JSONValue {
    let members: [(name: String, value: JSONValue)] = [
      ("x", .number(x)), ("y", .number(y)),
      ("first", VisitDetector.time(first)), ("last", VisitDetector.time(last)),
      ("core", VisitDetector.time(core)), ("core_reach", .number(coreReach)),
      ("weight", .number(weight)),
      ("squares", .number(squares)), ("sightings", .number(Double(sightings))),
      ("first_sigma", .number(firstSigma)), ("best_sigma", .number(bestSigma)),
      ("last_speed", VisitDetector.number(lastSpeed)), ("is_visit", .bool(isVisit)),
      ("rode_off", .bool(rodeOff)),
      ("arrival", VisitDetector.time(arrival)), ("before", before?.snapshot ?? .null),
      ("arrival_earliest", VisitDetector.time(arrivalEarliest)),
      ("vehicle_before", vehicleBefore?.snapshot ?? .null),
    ]
    return .object(members)
  }

  /// A stay smeared over more than the Earth is damage, but a coarse location may be off by a
  /// continent. Below what a visit's accuracy may be, because it can grow before the stay ends.
  private static let largestStandardError = 5e7

  init?(_ json: JSONValue?) {
    guard let json, let x = VisitDetector.metres(json["x"]),
      let y = VisitDetector.metres(json["y"]),
      let first = VisitDetector.time(json["first"]), let last = VisitDetector.time(json["last"]),
      let core = VisitDetector.time(json["core"]),
      let weight = json["weight"]?.number, weight > 0, weight <= 1e20,
      let squares = json["squares"]?.number, (0...1e20).contains(squares),
      let sightings = json["sightings"]?.count,
      let firstSigma = VisitDetector.length(json["first_sigma"]), firstSigma > 0,
      let bestSigma = VisitDetector.length(json["best_sigma"]), bestSigma > 0,
      let isVisit = json["is_visit"]?.bool,
      let arrival = VisitDetector.time(json["arrival"]),
      let arrivalEarliest = VisitDetector.time(json["arrival_earliest"])
    else { return nil }
    let moment = Moment(time: first, x: x, y: y, sigma: firstSigma)
    self.init(
      moment, before: Moment(json["before"]), vehicle: Moment(json["vehicle_before"]))
    self.last = last
    self.core = core
    coreReach = VisitDetector.length(json["core_reach"]) ?? coreReach
    self.weight = weight
    self.squares = squares
    self.sightings = max(1, sightings)
    self.bestSigma = bestSigma
    self.lastSpeed = VisitDetector.length(json["last_speed"]) ?? .nan
    self.isVisit = isVisit
    rodeOff = json["rode_off"]?.bool ?? false
    self.arrival = arrival
    self.arrivalEarliest = arrivalEarliest
    // A weight of next to nothing, or squares of next to everything, would make it boundless.
    guard standardError <= Self.largestStandardError else { return nil }
  }
}

extension Absence {
  var snapshot: JSONValue {
    let members: [(name: String, value: JSONValue)] = [
      ("elsewhere", elsewhere.snapshot), ("first", VisitDetector.time(first)),
      ("distance", .number(distance)), ("sightings", .number(Double(sightings))),
    ]
    return .object(members)
  }

  init?(_ json: JSONValue?) {
    guard let json, let elsewhere = StayHypothesis(json["elsewhere"]),
      let first = VisitDetector.time(json["first"]),
      let distance = VisitDetector.length(json["distance"]),
      let sightings = json["sightings"]?.count
    else { return nil }
    self.init(elsewhere: elsewhere, first: first, distance: distance, sightings: sightings)
  }
}

extension Visit {
  var snapshot: JSONValue {
    let members: [(name: String, value: JSONValue)] = [
      ("id", .number(Double(id))), ("arrival", arrival.snapshot),
      ("departure", departure?.snapshot ?? .null),
      ("latitude", .number(place.latitude.value)), ("longitude", .number(place.longitude.value)),
      ("accuracy", .number(accuracy.value)), ("confidence", .number(confidence)),
      ("sightings", .number(Double(sightings))),
    ]
    return .object(members)
  }

  init?(_ json: JSONValue?) {
    guard let json, let id = json["id"]?.count, let arrival = TimeEstimate(json["arrival"]),
      let latitude = json["latitude"]?.number, let longitude = json["longitude"]?.number,
      let place = Coordinate(checkedLatitude: latitude, longitude: longitude),
      let accuracy = VisitDetector.length(json["accuracy"]),
      let confidence = json["confidence"]?.number, (0...1).contains(confidence),
      let sightings = json["sightings"]?.count
    else { return nil }
    self.init(
      id: Int64(id), arrival: arrival, departure: TimeEstimate(json["departure"]), place: place,
      accuracy: Metres(accuracy), confidence: confidence, sightings: sightings)
  }
}

extension TimeEstimate {
  var snapshot: JSONValue {
    .array([estimate, earliest, latest].map { VisitDetector.time($0.nanoseconds) })
  }

  init?(_ json: JSONValue?) {
    guard let parts = json?.array, parts.count == 3,
      let estimate = VisitDetector.time(parts[0]), let earliest = VisitDetector.time(parts[1]),
      let latest = VisitDetector.time(parts[2]), earliest <= estimate, estimate <= latest
    else { return nil }
    self.init(
      estimate: UTCInstant(nanoseconds: estimate), earliest: UTCInstant(nanoseconds: earliest),
      latest: UTCInstant(nanoseconds: latest))
  }
}
