import Notation
import Quantities
import Records

/// Records as JSON for programs: the stable machine interface of the command line. Keys may be
/// added, none is renamed; units stand in the names.
public enum RecordJSON {
  public static func append(_ visit: Visit, to json: inout JSONWriter) {
    json.object { json in
      json.key("id")
      json.number(Int(visit.id))
      members(of: visit, to: &json)
      place(visit.place, to: &json)
    }
  }

  public static func append(_ destination: Destination, to json: inout JSONWriter) {
    json.object { json in
      json.key("id")
      json.number(Int(destination.id))
      members(of: destination, to: &json)
      place(destination.place, to: &json)
    }
  }

  public static func append(_ point: TrackPoint, to json: inout JSONWriter) {
    let sighting = point.sighting
    json.object { json in
      json.key("time")
      json.time(sighting.time)
      place(sighting.place, to: &json)
      json.key("accuracy_m")
      json.number(sighting.accuracy.value, digits: 2)
      json.key("altitude_m")
      optional(sighting.altitude?.value, digits: 2, to: &json)
      json.key("speed_m_s")
      optional(sighting.speed?.value, digits: 2, to: &json)
      json.key("track_deg")
      optional(sighting.track?.value, digits: 1, to: &json)
      json.key("source")
      json.string(sighting.source.rawValue)
      json.key("reason")
      json.string(point.reason.rawValue)
      json.key("session_id")
      identifier(point.session, to: &json)
    }
  }

  /// All but the id and the place.
  static func members(of visit: Visit, to json: inout JSONWriter) {
    json.key("arrival")
    json.time(visit.arrival.estimate)
    json.key("arrival_earliest")
    json.time(visit.arrival.earliest)
    json.key("arrival_latest")
    json.time(visit.arrival.latest)
    json.key("departure")
    time(visit.departure?.estimate, to: &json)
    json.key("departure_earliest")
    time(visit.departure?.earliest, to: &json)
    json.key("departure_latest")
    time(visit.departure?.latest, to: &json)
    json.key("accuracy_m")
    json.number(visit.accuracy.value, digits: 2)
    json.key("confidence")
    json.number(visit.confidence, digits: 3)
    json.key("sightings")
    json.number(visit.sightings)
    json.key("destination_id")
    identifier(visit.destination, to: &json)
  }

  /// All but the id and the place.
  static func members(of destination: Destination, to json: inout JSONWriter) {
    json.key("label")
    if let label = destination.label { json.string(label) } else { json.null() }
    json.key("radius_m")
    json.number(destination.radius.value, digits: 2)
    json.key("visits")
    json.number(destination.visits)
    json.key("total_dwell_s")
    json.number(destination.totalDwell.value, digits: 0)
  }

  private static func place(_ place: Coordinate, to json: inout JSONWriter) {
    json.key("lat")
    json.number(place.latitude.value, digits: 7)
    json.key("lon")
    json.number(place.longitude.value, digits: 7)
  }

  private static func time(_ time: UTCInstant?, to json: inout JSONWriter) {
    if let time { json.time(time) } else { json.null() }
  }

  private static func identifier(_ id: Int64?, to json: inout JSONWriter) {
    if let id { json.number(Int(id)) } else { json.null() }
  }

  private static func optional(_ number: Double?, digits: Int, to json: inout JSONWriter) {
    if let number { json.number(number, digits: digits) } else { json.null() }
  }
}
