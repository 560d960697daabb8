import Core

/// A place that was visited at least once.
public struct Destination: Hashable, Sendable {
  public var id: Int64
  public var position: Coordinate
  /// Root mean square distance of its visits from `position`, weighted by their accuracy; at least
  /// what that suggests.
  public var radius: Metres
  public var visits: Int
  /// Over all visits. A visit that is still open counts until the board was last observed there.
  public var totalDwell: Seconds
  /// The part of the dwell time for which the presence of the board is unknown.
  public var unobserved: Seconds = 0
  /// Set by the user, never generated.
  public var label: String?

  public init(
    id: Int64, position: Coordinate, radius: Metres, visits: Int, totalDwell: Seconds,
    unwatched: Seconds = 0, label: String? = nil
  ) {
    self.id = id
    self.position = position
    self.radius = radius
    self.visits = visits
    self.totalDwell = totalDwell
    self.unobserved = unwatched
    self.label = label
  }
}

extension Destination: StoredRecord {
  public static let table = RecordTable<Self>(
    "destinations", "Where visits recur", key: .given { $0.id },
    columns: [
      .position("Mean of its visits, weighted by their accuracy.") { $0.position },
      .quantity(
        "radius_m",
        "Root mean square distance of its visits from the centre, weighted by their accuracy."
      ) { $0.radius },
      .count("visit_count", "Number of its visits.") { $0.visits },
      .quantity(
        "total_dwell_s",
        "Total length of its visits; an open visit counts until the board was last located there."
      ) { $0.totalDwell },
      .optionalText("label", "Name set by the user.") { $0.label }.ofUser,
      .optionalQuantity(
        "unwatched_s", "Part of that time in which it is unknown whether the board was there."
      ) { $0.unobserved }.added(in: Record.gaps),
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      id: try row.identifier(), position: try row.position("geom"),
      radius: try row.quantity("radius_m"),
      visits: try row.count("visit_count"), totalDwell: try row.quantity("total_dwell_s"),
      label: try row.optionalText("label").flatMap { $0.isEmpty ? nil : $0 })
    unobserved = try row.optionalQuantity("unwatched_s") ?? 0
  }

  public var record: Record { .destination(self) }
  public var isUrgent: Bool { true }

  public func renumbered(by shift: Renumbering) -> Destination {
    var destination = self
    destination.id += shift.destinations
    return destination
  }
}
