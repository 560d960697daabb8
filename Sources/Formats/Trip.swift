import Core
import Records

/// From the departure of one visit to the arrival of the next.
public struct Trip: Hashable, Sendable {
  /// The start or the end of a trip.
  public struct End: Hashable, Sendable {
    public let visit: Int64
    public let destination: Int64?
    /// The user's label, or a number.
    public let name: String
  }

  /// How the board was moved, by its speed.
  enum Mode: String, Sendable, CaseIterable {
    case walk, bicycle, vehicle
    /// Too little of it was observed.
    case unknown
  }

  public let from: End
  public let to: End
  public let departure: TimeEstimate
  public let arrival: TimeEstimate
  /// Along the stored track.
  public let distance: Metres
  /// Standard uncertainty of `distance`; NaN if an accuracy is unknown. See `TripPath`.
  public let distanceUncertainty: Metres
  /// Total of the gaps of more than 15 minutes, in which the position is unknown.
  let unwatched: Seconds
  /// The part of `distance` that is straight lines over these gaps: the true distance there is at
  /// least as long.
  let unwatchedDistance: Metres
  /// How many positions of the trip come from cells and access points.
  let coarsePoints: Int
  let mode: Mode

  /// By the best estimates.
  public var duration: Seconds { max(0, arrival.estimate - departure.estimate) }
  public var shortest: Seconds { max(0, arrival.earliest - departure.latest) }
  public var longest: Seconds { max(0, arrival.latest - departure.earliest) }

  /// Nil if the ends are too uncertain.
  public var meanSpeed: MetresPerSecond? {
    guard departure.isKnown, arrival.isKnown, duration > 0 else {
      return nil
    }
    return MetresPerSecond(distance.value / duration.value)
  }
}

extension Trip {
  /// CSV is a driver's log: times in UTC, units in the headings.
  public static let columns = Columns<Trip>([
    .text("from", cell: .plain("FROM", 4), csv: "from") { $0.from.name },
    .text("to", cell: .plain("TO", 2), csv: "to") { $0.to.name },
    .count("from_visit_id", csv: "from_visit_id") { Int($0.from.visit) },
    .count("to_visit_id", csv: "to_visit_id") { Int($0.to.visit) },
    .count("from_destination_id", csv: "from_destination_id") {
      $0.from.destination.map { Int($0) }
    },
    .count("to_destination_id", csv: "to_destination_id") { $0.to.destination.map { Int($0) } },
    .time("departure", cell: cell("DEPARTURE") { $0.departure }, csv: "departure_utc") {
      $0.departure.estimate
    },
    .time("departure_earliest", csv: "departure_earliest_utc") { $0.departure.earliest },
    .time("departure_latest", csv: "departure_latest_utc") { $0.departure.latest },
    .time("arrival", cell: cell("ARRIVAL") { $0.arrival }, csv: "arrival_utc") {
      $0.arrival.estimate
    },
    .time("arrival_earliest", csv: "arrival_earliest_utc") { $0.arrival.earliest },
    .time("arrival_latest", csv: "arrival_latest_utc") { $0.arrival.latest },
    .number(
      "duration_s", digits: 0,
      cell: .made("DURATION", 8, .right) { trip, _ in
        BoundedDuration(from: trip.departure, to: trip.arrival).text
      },
      csv: "duration_s"
    ) { $0.duration.value },
    .number("duration_least_s", digits: 0, csv: "duration_least_s") { $0.shortest.value },
    .number("duration_most_s", digits: 0, csv: "duration_most_s") { $0.longest.value },
    .number(
      "distance_m", digits: 0,
      cell: .made("DISTANCE", 8, .right) { trip, _ in trip.distanceText }, csv: "distance_m"
    ) { $0.distance.value },
    .number(
      "distance_uncertainty_m", digits: 0,
      cell: .figure("±", 1, digits: 2, scale: 1e-3, unit: " km"),
      csv: "distance_uncertainty_m"
    ) { $0.distanceUncertainty.value },
    .number(
      "mean_speed_m_s", digits: 2, cell: .figure("SPEED", 5, digits: 0, scale: 3.6, unit: " km/h"),
      csv: "mean_speed_m_s"
    ) { $0.meanSpeed?.value },
    .text("mode", cell: .plain("MODE", 4), csv: "mode") { $0.mode.rawValue },
    .number("unwatched_s", digits: 0, csv: "unwatched_s") { $0.unwatched.value },
    .number("unwatched_distance_m", digits: 0, csv: "unwatched_distance_m") {
      $0.unwatchedDistance.value
    },
    .count("coarse_points", csv: "coarse_points") { $0.coarsePoints },
    .table(.made("NOTE", 4) { trip, _ in trip.note }),
  ])

  /// Over a gap the true distance is at least that of the line.
  private var distanceText: String {
    (unwatchedDistance > 0 ? "> " : "") + FixedDecimal.text(distance.value / 1000, digits: 2)
      + " km"
  }

  private var note: String {
    var parts: [String] = []
    if unwatched > 0 { parts.append("no position for \(unwatched.hoursAndMinutes)") }
    if coarsePoints > 0 { parts.append("\(coarsePoints) coarse positions") }
    return parts.joined(separator: ", ")
  }

  private static func cell(
    _ title: String, _ time: @escaping @Sendable (Trip) -> TimeEstimate
  ) -> TableCell<Trip> {
    .made(title, 16) { trip, style in BoundedTime(time(trip)).text(style) }
  }
}
