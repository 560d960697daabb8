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

/// The places of a store, as far as its rows can be read as such.
struct PlaceTable {
  private var rows: [(place: Place, row: PlaceRow)] = []
  /// What is wrong with other rows, and what was presumed for some.
  private(set) var remarks: [String] = []

  /// - Parameter box: only places that may reach into it; nil: all of them.
  init(_ reader: StoreReader, near box: GeographicBox? = nil) throws(PortError) {
    var cursor =
      if let box { try PlaceCursor(reader, near: box) } else { try PlaceCursor(reader) }
    while let row = try cursor.nextReadable({ remarks.append($0) }) { take(row) }
  }

  var places: [Place] { rows.map(\.place) }

  private mutating func take(_ row: PlaceRow) {
    let entry = row.entry(.ofStore)
    if let place = entry.place { rows.append((place, row)) }
    remarks += entry.notices.map { "\(entry.item): \($0)" }
    if let error = entry.error { remarks.append(error.description) }
  }

  /// Says on standard error what is wrong with rows.
  func tellRemarks() {
    for remark in remarks { StandardError.tell(remark) }
  }

  /// Says on standard error that another place is called so, too, as it may be.
  func tellNamesakes(of place: Place) {
    let others = places.count { $0.name == place.name && $0.id != place.id }
    guard others > 0 else { return }
    StandardError.tell(
      "\(others + 1) places are called \"\(place.name)\" now: name this one by the first digits of "
        + "its UUID, \(place.id.description.prefix(8))")
  }

  // MARK: One of them

  /// - Parameter words: the UUID, its first digits, or the name, in large or small letters.
  func place(_ words: String) throws(CommandError) -> Place { try row(words).place }

  /// The place with its row, as it was read.
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
        "\(found.count) places are called \"\(TerminalText.line(words))\": say which by the first "
          + "digits of its UUID: \(ids.joined(separator: ", "))")
    }
    return first
  }
}

extension StoreOptions {
  /// Whom the board stands for.
  var visitor: Visitor { ((try? configuration.load().settings) ?? Settings()).visitor }

  /// Says on standard error where nobody listens for the beacons that were given.
  func tellWithoutRadio(_ beacons: [BeaconRegion]) throws {
    guard !beacons.isEmpty, try configuration.load().settings.bluetooth.kind == .none else {
      return
    }
    StandardError.tell("nobody listens for beacons yet: \(BluetoothDiagnosis.advice)")
  }

  /// Reads the places, and says what is wrong with rows.
  func places(near box: GeographicBox? = nil) throws -> PlaceTable {
    var table: PlaceTable?
    try read { table = try PlaceTable($0, near: box) }
    guard let table else { preconditionFailure("read returns after it has read") }
    table.tellRemarks()
    return table
  }

  /// Changes the places of a store that is there.
  func editPlaces(_ body: (PlaceEditor) throws -> Void) throws {
    try edit { try body(PlaceEditor($0)) }
  }

  /// Changes a store that is there, and tells the daemon that it was.
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
    // Where no daemon runs, or it may not be asked, it finds out by itself.
    if let socket = try? configuration.load().settings.control.socket {
      _ = try? ControlClient.ask(ControlRequest.edited.json, path: socket)
    }
  }
}
