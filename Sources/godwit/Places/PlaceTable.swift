import Geodesy
import Notation
import PlaceFiles
import Places
import Ports
import Quantities
import Records
import Store

/// The places of a store, as far as its rows can be read as such.
struct PlaceTable {
  /// What a row gets that somebody has drawn without it.
  static let defaults = PlaceFileDefaults(owner: "me", radius: 50)

  private(set) var places: [Place] = []
  /// What is wrong with other rows, and what was presumed for some.
  private(set) var remarks: [String] = []

  /// - Parameter box: only places that may reach into it; nil: all of them.
  init(_ reader: StoreReader, near box: GeographicBox? = nil) throws(StoreError) {
    var cursor =
      if let box { try PlaceCursor(reader, near: box) } else { try PlaceCursor(reader) }
    while let row = try next(&cursor) {
      guard let row = row.place else { continue }
      take(row.entry(Self.defaults))
    }
  }

  /// A row that cannot be read is one without a place.
  private mutating func next(
    _ cursor: inout PlaceCursor
  ) throws(StoreError) -> (place: PlaceRow?, Void)? {
    do {
      return try cursor.next().map { ($0, ()) }
    } catch {
      guard case .corrupt(let message) = error else { throw error }
      remarks.append(message)
      return (nil, ())
    }
  }

  private mutating func take(_ entry: PlaceFileEntry) {
    if let place = entry.place { places.append(place) }
    remarks += entry.notices.map { "\(entry.item): \($0)" }
    if let error = entry.error { remarks.append(error.description) }
  }

  /// Says on standard error what is wrong with rows.
  func tellRemarks() {
    var messages = StandardError()
    for remark in remarks { print("godwit: \(TerminalText.line(remark))", to: &messages) }
  }

  // MARK: One of them

  /// Digits of a UUID that are taken for one.
  private static let fewestDigits = 4

  /// - Parameter words: the UUID, its first digits, or the name, in large or small letters.
  func place(_ words: String) throws(CommandError) -> Place {
    let key = words.lowercased()
    if let id = PlaceID(key), let place = places.first(where: { $0.id == id }) { return place }
    var found = places.filter { $0.name == words }
    if found.isEmpty { found = places.filter { $0.name.lowercased() == key } }
    if found.isEmpty, key.utf8.count >= Self.fewestDigits {
      found = places.filter { $0.id.description.hasPrefix(key) }
    }
    guard let place = found.first else {
      throw .failed(
        "there is no place \"\(TerminalText.line(words))\"; `godwit places` lists them")
    }
    guard found.count == 1 else {
      let ids = found.prefix(5).map { String($0.id.description.prefix(8)) }
      throw .failed(
        "\(found.count) places are called \"\(TerminalText.line(words))\": say which by the first "
          + "digits of its UUID: \(ids.joined(separator: ", "))")
    }
    return place
  }
}

extension StoreOptions {
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
    let path = try path()
    do {
      // Opening for writing would create a new store where there is none.
      _ = try StoreReader(path: path)
      let store = try GeoPackageStore(path: path)
      try body(PlaceEditor(store))
      try store.close()
    } catch let error as StoreError {
      throw CommandError.failed(error.message)
    }
  }
}
