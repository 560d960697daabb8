import Core
import Formats
import Places
import Ports
import Records
import Store

/// The places, alerts, interests and messages that a simulation starts with: those of another
/// store, or the places of a file with alerts for every arrival and departure.
struct SuppliedPlaces {
  private(set) var places: [Place] = []
  private var alerts: [StoredAlert] = []
  private var interests: String?
  private(set) var messages: [StoredMessage] = []

  init(path: String) throws {
    if DatabaseFile.isOne(path) {
      try load(store: path)
    } else {
      try load(file: path)
    }
  }

  /// Writes them into a new store.
  func put(into store: GeoPackageStore) throws(PortError) {
    if let interests { try store.write([.interests(interests)]) }
    let editor = PlaceEditor(store)
    for start in stride(from: 0, to: places.count, by: 1000) {
      try editor.put(places[start..<min(start + 1000, places.count)].map { PlaceRow($0) })
    }
    for alert in alerts { _ = try AlertEditor(store).add(alert) }
    try store.changeMessages { _ in
      var change = MessageChange()
      change.stored = messages
      return change
    }
  }

  private mutating func load(store path: String) throws {
    do throws(PortError) {
      let reader = try StoreReader(path: path)
      let table = try PlaceTable(reader)
      table.printRemarks()
      places = table.places
      var rows = try reader.alerts()
      while let row = try rows.nextReadable({ StandardError.report($0) }) { alerts.append(row) }
      interests = try reader.interests()
      messages = try reader.messages()
    } catch {
      throw CommandError.failed(error.message)
    }
  }

  private mutating func load(file path: String) throws {
    do {
      let scan = PlaceFileScan(path: path, defaults: PlaceFileDefaults.ofStore)
      try scan.read { entries, _ in
        for entry in entries {
          if let place = entry.place { places.append(place) }
          if let error = entry.error {
            var messages = StandardError()
            print("godwit: \(path): \(TerminalText.line(error.description))", to: &messages)
          }
        }
      }
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    } catch let error as PlaceFileError {
      throw CommandError.failed("\(path): \(error)")
    }
    for kind in [AlertKind.enter, .leave] {
      var alert = StoredAlert(id: 0)
      alert.name = kind.rawValue
      alert.kind = kind.rawValue
      alerts.append(alert)
    }
  }
}
