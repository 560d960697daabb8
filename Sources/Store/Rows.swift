import Ports
import Quantities
import Records

/// How the rows of each table become records again. The columns are named one by one, so that a
/// later version may add some.
enum Rows {
  static let trackPoint = """
    SELECT id, geom, time, accuracy_m, altitude_m, speed_m_s, track_deg, source, reason, session_id
    FROM track_points
    """
  static let visit = """
    SELECT id, geom, arrival, arrival_earliest, arrival_latest, departure, departure_earliest,
      departure_latest, accuracy_m, confidence, locations, destination_id
    FROM visits
    """
  static let destination = """
    SELECT id, geom, radius_m, visit_count, total_dwell_s, label FROM destinations
    """
  static let session = """
    SELECT id, power_on, power_off, ttff_s, fixes_accepted, fixes_rejected, outcome, charge_mAh,
      energy_J, energy_is_measured, duration_s, first_fix
    FROM gnss_sessions
    """
  static let coarse = """
    SELECT id, time, since_boot_s, latitude_deg, longitude_deg, accuracy_m, access_point, source
    FROM coarse_observations
    """
  static let segment = """
    SELECT id, state, start, duration_s, charge_mAh, energy_J, energy_uncertainty_J, basis
    FROM power_segments
    """
  static let event = "SELECT id, time, level, kind, reason FROM events"

  static func trackPoint(_ row: RowReader) throws(StoreError) -> TrackPoint {
    let location = Location(
      time: try row.time(2), place: try row.place(1), accuracy: try row.quantity(3),
      speed: try row.optionalQuantity(5), track: try row.optionalQuantity(6),
      altitude: try row.optionalQuantity(4), source: try row.word(7))
    return TrackPoint(
      location: location, reason: try row.word(8), session: try row.optionalInteger(9))
  }

  static func visit(_ row: RowReader) throws(StoreError) -> Visit {
    let arrival = TimeEstimate(
      estimate: try row.time(2), earliest: try row.time(3), latest: try row.time(4))
    let departure = try row.optionalTime(5).map { (time: UTCInstant) throws(StoreError) in
      TimeEstimate(
        estimate: time, earliest: try row.optionalTime(6) ?? time,
        latest: try row.optionalTime(7) ?? time)
    }
    return Visit(
      id: try row.identifier(), arrival: arrival, departure: departure, place: try row.place(1),
      accuracy: try row.quantity(8), confidence: try row.real(9),
      locations: try row.count(10), destination: try row.optionalInteger(11))
  }

  static func destination(_ row: RowReader) throws(StoreError) -> Destination {
    Destination(
      id: try row.identifier(), place: try row.place(1), radius: try row.quantity(2),
      visits: try row.count(3), totalDwell: try row.quantity(4),
      label: try row.optionalText(5).flatMap { $0.isEmpty ? nil : $0 })
  }

  static func session(_ row: RowReader) throws(StoreError) -> GnssSession {
    var session = GnssSession(id: try row.identifier(), on: try row.optionalTime(1))
    session.duration = try row.optionalQuantity(10)
    session.off = try row.optionalTime(2)
    session.timeToFirstFix = try row.optionalQuantity(3)
    session.fixesAccepted = try row.count(4)
    session.fixesRejected = try row.count(5)
    session.outcome = try row.word(6)
    session.charge = try row.optionalCharge(7)
    session.energy = try row.optionalQuantity(8)
    session.energyIsMeasured = try row.integer(9) != 0
    // Follows from the switch-on; it stands in the file for other programs.
    _ = try row.optionalTime(11)
    return session
  }

  static func coarse(_ row: RowReader) throws(StoreError) -> CoarseObservation {
    let place = try row.optionalReal(3).map { (latitude: Double) throws(StoreError) in
      let longitude = try row.real(4)
      return try row.required(
        3, Coordinate(checkedLatitude: latitude, longitude: longitude))
    }
    return CoarseObservation(
      received: .zero + Seconds(try row.real(2)), time: try row.optionalTime(1), place: place,
      accuracy: try row.optionalQuantity(5), accessPoint: try row.optionalText(6),
      source: try row.text(7))
  }

  static func segment(_ row: RowReader) throws(StoreError) -> PowerSegment {
    PowerSegment(
      state: try row.word(1), start: try row.time(2), duration: try row.quantity(3),
      charge: try row.required(4, try row.optionalCharge(4)), energy: try row.quantity(5),
      energyUncertainty: try row.optionalQuantity(6), basis: try row.word(7))
  }

  static func event(_ row: RowReader) throws(StoreError) -> StoredEvent {
    StoredEvent(
      id: row.id, time: try row.optionalTime(1),
      note: Note(try row.text(3), try row.text(4), level: try row.word(2)))
  }
}

/// A line of the decision log.
public struct StoredEvent: Hashable, Sendable {
  public let id: Int64
  /// Nil when the date was unknown.
  public let time: UTCInstant?
  public let note: Note
}
