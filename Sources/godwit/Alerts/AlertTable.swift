import Places
import Core
import Platform
import Ports
import Records
import Store

/// The alerts of a store, and why some of them cannot be in force.
struct AlertTable {
  private(set) var rows: [ListedAlert] = []
  /// Errors of rows that cannot be read.
  private(set) var remarks: [String] = []

  /// - Parameters:
  ///   - namesPlaces: whether to resolve the names of places, which requires reading all of them.
  ///   - date: the present date.
  init(
    _ reader: StoreReader, namesPlaces: Bool, at date: UTCInstant = BootClock.systemDate
  ) throws(PortError) {
    var cursor = try reader.alerts()
    var alerts: [StoredAlert] = []
    while let row = try cursor.nextReadable({ remarks.append($0) }) { alerts.append(row) }
    let firstBeyond = try reader.alertsInForce().firstBeyond ?? .max
    let asksForPlaces = namesPlaces && alerts.contains { $0.watchesPlaces }
    let places = asksForPlaces ? try PlaceTable(reader).places : []
    let names = Dictionary(places.map { ($0.id, $0.name) }) { first, _ in first }
    let zones = SystemTimeZones()
    for row in alerts {
      let place = row.place.flatMap { PlaceID($0) }.flatMap { names[$0] }
      let isBeyond = row.id >= firstBeyond
      do throws(AlertError) {
        let alert = try Alert(row, local: zones.local, zones: zones.zone)
        let timing = AlertTiming(
          alert, AlertHorizon(of: alert, among: places, zones), at: date, in: zones.local)
        rows.append(ListedAlert(row, place: place, timing, isBeyond: isBeyond, error: nil))
      } catch {
        rows.append(ListedAlert(row, place: place, nil, isBeyond: isBeyond, error: error))
      }
    }
  }

  /// Prints the errors of rows on standard error.
  func printRemarks() {
    for remark in remarks { StandardError.report(remark) }
  }

  /// - Parameter words: the id or the name.
  func row(_ words: String) throws(CommandError) -> StoredAlert { try listed(words).row }

  /// - Parameter words: the id or the name.
  func listed(_ words: String) throws(CommandError) -> ListedAlert {
    var found = rows.filter { $0.row.name == words }
    if found.isEmpty { found = rows.filter { "\($0.row.id)" == words } }
    if found.isEmpty {
      found = rows.filter { $0.row.name?.lowercased() == words.lowercased() }
    }
    guard let first = found.first else {
      throw .failed(
        "there is no alert \"\(TerminalText.line(words))\"; `godwit alerts` lists them")
    }
    guard found.count == 1 else {
      throw .failed(
        "\(found.count) alerts are called \"\(TerminalText.line(words))\": specify one by its "
          + "number: " + found.map { "\($0.row.id)" }.joined(separator: ", "))
    }
    return first
  }
}

extension StoreOptions {
  func alerts(namingPlaces: Bool = false) throws -> AlertTable {
    var table: AlertTable?
    try read { table = try AlertTable($0, namesPlaces: namingPlaces) }
    guard let table else { preconditionFailure("read returns after it has read") }
    table.printRemarks()
    return table
  }

  /// Changes the alerts of an existing store.
  func editAlerts(_ body: (AlertEditor) throws -> Void) throws {
    try edit { try body(AlertEditor($0)) }
  }
}
