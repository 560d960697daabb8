import RadioSignals
import Hardware
import Core
import GodwitSettings
import Formats
import Places
import Ports
import Records
import Runtime
import Store

/// The places of a store, as far as its rows are readable.
struct PlaceTable {
  private var rows: [(place: Place, row: PlaceRow)] = []
  /// Errors of unreadable rows, and assumptions made for others.
  private(set) var remarks: [String] = []

  /// - Parameter box: only places that may extend into it; nil: all of them.
  init(_ reader: StoreReader, near box: GeographicBox? = nil) throws(PortError) {
    var cursor =
      if let box { try PlaceCursor(reader, near: box) } else { try PlaceCursor(reader) }
    while let row = try cursor.nextReadable({ remarks.append($0) }) { add(row) }
  }

  var places: [Place] { rows.map(\.place) }

  private mutating func add(_ row: PlaceRow) {
    let entry = row.entry(.ofStore)
    if let place = entry.place { rows.append((place, row)) }
    remarks += entry.notices.map { "\(entry.item): \($0)" }
    if let error = entry.error { remarks.append(error.description) }
  }

  /// Prints the errors of rows on standard error.
  func printRemarks() {
    for remark in remarks { StandardError.report(remark) }
  }

  /// Prints on standard error that another place has the same name, which is allowed.
  func warnOfNamesakes(of place: Place) {
    let others = places.count { $0.name == place.name && $0.id != place.id }
    guard others > 0 else { return }
    StandardError.report(
      "\(others + 1) places are called \"\(place.name)\" now: specify this one by the first digits "
        + "of its UUID, \(place.id.description.prefix(8))")
  }

  // MARK: One of them

  /// - Parameter words: the UUID, its first digits, or the name, case-insensitive.
  func place(_ words: String) throws(CommandError) -> Place { try row(words).place }

  /// The place, and the row it was read from.
  func row(_ words: String) throws(CommandError) -> (place: Place, row: PlaceRow) {
    let found = NameLookup.all(
      words, among: rows, id: \.place.id.description, name: \.place.name)
    guard let first = found.first else {
      throw .failed(
        "there is no place \"\(TerminalText.line(words))\"; `godwit places` lists them")
    }
    guard found.count == 1 else {
      let ids = found.prefix(5).map { String($0.place.id.description.prefix(8)) }
      throw .failed(
        "\(found.count) places are called \"\(TerminalText.line(words))\": specify one by the "
          + "first digits of its UUID: \(ids.joined(separator: ", "))")
    }
    return first
  }
}

extension StoreOptions {
  /// The visitor that the board represents.
  var visitor: Visitor { ((try? configuration.load().settings) ?? Settings()).visitor }

  /// Prints on standard error that no radio listens for the given beacons.
  func warnWithoutRadio(_ beacons: [BeaconRegion]) throws {
    guard !beacons.isEmpty, try configuration.load().settings.bluetooth.kind == .none else {
      return
    }
    StandardError.report("nothing receives beacons yet: \(BluetoothDiagnosis.advice)")
  }

  /// Reads the places, and reports the errors of rows.
  func places(near box: GeographicBox? = nil) throws -> PlaceTable {
    var table: PlaceTable?
    try read { table = try PlaceTable($0, near: box) }
    guard let table else { preconditionFailure("read returns after it has read") }
    table.printRemarks()
    return table
  }

  /// Changes the places of an existing store.
  func editPlaces(_ body: (PlaceEditor) throws -> Void) throws {
    try edit { try body(PlaceEditor($0)) }
  }

  /// Changes an existing store, and notifies the daemon.
  func edit(_ body: (GeoPackageStore) throws -> Void) throws {
    let path = try path()
    do {
      // Opening for writing would create a new store where there is none.
      _ = try StoreReader(path: path)
      let store = try GeoPackageStore(path: path)
      try body(store)
      try store.close()
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    }
    // If no daemon runs, or access is denied, the daemon detects the edit itself.
    if let socket = try? configuration.load().settings.control.socket {
      _ = try? ControlClient.query(ControlRequest.edited.json, path: socket)
    }
  }
}
