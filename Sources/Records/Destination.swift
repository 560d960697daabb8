import Quantities

/// A place that was visited, once or often.
public struct Destination: Hashable, Sendable {
  public var id: Int64
  public var position: Coordinate
  /// Root mean square distance of its visits from `position`, at least the visits' own accuracy.
  public var radius: Metres
  public var visits: Int
  /// Over all ended visits.
  public var totalDwell: Seconds
  /// Given by the user, never invented.
  public var label: String?

  public init(
    id: Int64, position: Coordinate, radius: Metres, visits: Int, totalDwell: Seconds,
    label: String? = nil
  ) {
    self.id = id
    self.position = position
    self.radius = radius
    self.visits = visits
    self.totalDwell = totalDwell
    self.label = label
  }
}

extension Destination: StoredRecord {
  public static let table = RecordTable<Self>(
    "destinations", "Where visits recur", key: .given { $0.id },
    columns: [
      .position { $0.position },
      .quantity("radius_m") { $0.radius },
      .count("visit_count") { $0.visits },
      .quantity("total_dwell_s") { $0.totalDwell },
      .optionalText("label") { $0.label }.ofUser,
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      id: try row.identifier(), position: try row.position(1), radius: try row.quantity(2),
      visits: try row.count(3), totalDwell: try row.quantity(4),
      label: try row.optionalText(5).flatMap { $0.isEmpty ? nil : $0 })
  }

  public var record: Record { .destination(self) }
  public var isUrgent: Bool { true }

  public func renumbered(by shift: Renumbering) -> Destination {
    var destination = self
    destination.id += shift.destinations
    return destination
  }
}
