import Geodesy
import Notation
import Quantities

/// What has to survive a restart: the open stay. The gate and the trajectory start afresh.
extension Perception {
  public var snapshot: JSONValue { .object([("stay", detector.snapshot)]) }

  /// Goes on from a snapshot; what makes no sense in it is left aside.
  public mutating func restore(_ snapshot: JSONValue) {
    if let stay = snapshot["stay"] { detector.restore(stay) }
  }
}

extension VisitDetector {
  var snapshot: JSONValue {
    guard let stay, let plane else { return .null }
    let place = plane.coordinate(.init(east: Metres(stay.east), north: Metres(stay.north)))
    func time(_ seconds: Double) -> JSONValue {
      .number((epoch + Seconds(seconds)).seconds)
    }
    return .object([
      ("id", .number(Double(stay.id))), ("lat", .number(place.latitude.value)),
      ("lon", .number(place.longitude.value)), ("first", time(stay.first)),
      ("last", time(stay.last)), ("before", stay.before.map(time) ?? .null),
      ("weight", .number(stay.weight)), ("accuracy", .number(stay.accuracy)),
      ("sightings", .number(Double(stay.sightings))),
    ])
  }

  mutating func restore(_ value: JSONValue) {
    guard let id = value["id"]?.integer, let latitude = value["lat"]?.number,
      let longitude = value["lon"]?.number,
      let place = Coordinate(checkedLatitude: latitude, longitude: longitude),
      let first = value["first"]?.number, let last = value["last"]?.number, first <= last,
      let weight = value["weight"]?.number, weight >= 1,
      let accuracy = value["accuracy"]?.number, accuracy > 0,
      let sightings = value["sightings"]?.integer
    else { return }
    plane = LocalPlane(origin: place)
    epoch = UTCInstant(seconds: first)
    stay = Stay(
      id: Int64(id), first: 0, last: last - first,
      before: value["before"]?.number.map { $0 - first }, east: 0, north: 0, weight: weight,
      accuracy: accuracy, sightings: sightings)
    nextID = max(nextID, Int64(id) + 1)
  }
}
