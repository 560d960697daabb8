import Notation
import Quantities
import Records

extension Sighting {
  var snapshot: JSONValue {
    .object([
      ("time", VisitDetector.time(time.nanoseconds)),
      ("latitude", .number(place.latitude.value)), ("longitude", .number(place.longitude.value)),
      ("accuracy_m", .number(accuracy.value)),
      ("speed_m_s", Self.number(speed?.value)), ("track_deg", Self.number(track?.value)),
      ("altitude_m", Self.number(altitude?.value)),
    ])
  }

  /// A fix of an earlier run; nil when it is damaged.
  init?(_ json: JSONValue?) {
    guard let json, let time = VisitDetector.time(json["time"]),
      let latitude = json["latitude"]?.number, let longitude = json["longitude"]?.number,
      let place = Coordinate(checkedLatitude: latitude, longitude: longitude),
      let accuracy = VisitDetector.length(json["accuracy_m"])
    else { return nil }
    self.init(
      time: UTCInstant(nanoseconds: time), place: place, accuracy: Metres(accuracy),
      speed: VisitDetector.length(json["speed_m_s"]).map { MetresPerSecond($0) },
      track: json["track_deg"]?.number.flatMap { (0..<360).contains($0) ? Degrees($0) : nil },
      altitude: VisitDetector.metres(json["altitude_m"]).map { Metres($0) })
  }

  private static func number(_ value: Double?) -> JSONValue {
    value.map { VisitDetector.number($0) } ?? .null
  }
}
