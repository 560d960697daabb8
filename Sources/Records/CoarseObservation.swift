import Core

/// A cheap location: Wi-Fi, cell, or a stand-in. The paper's "significant location update" (SLU).
public struct CoarseObservation: Hashable, Sendable {
  public var received: BootInstant
  public var time: UTCInstant?
  /// Nil if the source replied without a position (nothing known in range).
  public var position: Coordinate?
  public var accuracy: Metres?
  /// The connected access point (BSSID), if any.
  public var accessPoint: String?
  /// The source: "wifi", "cell", "geoclue", "virtual".
  public var source: String

  public init(
    received: BootInstant, time: UTCInstant?, position: Coordinate?, accuracy: Metres?,
    accessPoint: String? = nil, source: String
  ) {
    self.received = received
    self.time = time
    self.position = position
    self.accuracy = accuracy
    self.accessPoint = accessPoint
    self.source = source
  }
}

extension CoarseObservation: StoredRecord {
  public static let table = RecordTable<Self>(
    "coarse_observations", "Cheap locations", key: .counted, time: "time",
    columns: [
      .optionalTime("time", "Time of the report; empty while the date is unknown.") { $0.time },
      .quantity("since_boot_s", "Time of the report, since the start of the board.") {
        $0.received - .zero
      },
      .optionalQuantity("latitude_deg", "Empty if the source had no position.") {
        $0.position?.latitude
      },
      .optionalQuantity("longitude_deg", "Empty if the source had no position.") {
        $0.position?.longitude
      },
      .optionalQuantity("accuracy_m", "Radius, as reported by the source.") { $0.accuracy },
      .optionalText("access_point", "Connected access point (BSSID), if any.") {
        $0.accessPoint
      },
      .text("source", "Name of the source, such as wifi or cell.") { $0.source },
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      received: .zero + Seconds(try row.real("since_boot_s")), time: try row.optionalTime("time"),
      position: try row.optionalPosition(latitude: "latitude_deg", longitude: "longitude_deg"),
      accuracy: try row.optionalQuantity("accuracy_m"),
      accessPoint: try row.optionalText("access_point"),
      source: try row.text("source"))
  }

  public var record: Record { .coarse(self) }
  public var lastChange: UTCInstant? { time }
}
