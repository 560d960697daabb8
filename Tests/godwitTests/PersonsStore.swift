import Messaging
import Core
import Platform
import Records
import Store
import TestSupport
import Testing

/// The store of one person's board, the program that runs on it, and the daemon's actions.
struct PersonsStore {
  let path: String
  private let address: PersonAddress
  private let settings: [String]
  private let hasBroker: Bool

  init(_ address: String, in scratch: ScratchFolder, broker: Bool = true) throws {
    self.address = try PersonAddress(address)
    path = scratch.file("\(address).gpkg")
    hasBroker = broker
    settings =
      ["--set", "people.address=\(address)"]
      + (broker
        ? [
          "--set", "uplink.mqtt.brokers=[\"mqtt://127.0.0.1:1\"]", "--set",
          "uplink.mqtt.people=true",
        ] : [])
    try GeoPackageStore(path: path).close()
  }

  // MARK: The program

  /// A place with a radius, and one with an outline.
  func importMuseumAndPark(_ scratch: ScratchFolder) throws {
    let file = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[5.12,52.09]},
      "properties":{"name":"Museum","radius_m":80}},
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":
      [[[5.0,52.0],[5.002,52.0],[5.002,52.001],[5.0,52.001],[5.0,52.0]]]},
      "properties":{"name":"Park"}}]}
      """
    try scratch.write(file, to: "places.json")
    try done("places", "import", scratch.file("places.json"))
  }

  func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments + ["--store", path] + settings)
  }

  /// - Returns: its output, without the last line end.
  @discardableResult
  func done(_ arguments: String...) throws -> String {
    let outcome = try run(arguments)
    #expect(outcome.exitCode == 0, "\(arguments) \(outcome)")
    return String(outcome.output.dropLast())
  }

  func json(_ arguments: String...) throws -> JSONValue {
    let outcome = try run(arguments + ["--json"])
    #expect(outcome.exitCode == 0, "\(arguments) \(outcome)")
    return try JSONValue(parsing: outcome.output)
  }

  func list(_ arguments: String...) throws -> [JSONValue] {
    let outcome = try run(arguments + ["--json"])
    #expect(outcome.exitCode == 0, "\(arguments) \(outcome)")
    return try #require(try JSONValue(parsing: outcome.output).array)
  }

  /// - Returns: why it was refused; nothing may have been stored.
  func refusal(_ arguments: String..., code: Int32 = 1) throws -> String {
    let before = try items()
    let outcome = try run(arguments)
    #expect(outcome.exitCode == code && outcome.output.isEmpty, "\(arguments) \(outcome)")
    #expect(try items() == before, "\(arguments)")
    return outcome.messages
  }

  // MARK: The daemon

  func items() throws -> [StoredMessage] { try StoreReader(path: path).messages() }

  private func messaging() throws -> MessagingState {
    MessagingState(of: address, hasBroker: hasBroker, restoring: try items())
  }

  var pending: [Publication] { get throws { try messaging().pending } }

  func step(_ events: [MessagingEvent], date: UTCInstant = BootClock.systemDate) throws {
    var messaging = try messaging()
    let store = try GeoPackageStore(path: path)
    for event in events {
      let turn = messaging.step(event, at: .boot(1), date: date)
      try store.changeMessages { _ in turn.change }
    }
    try store.close()
  }

  /// Moves the board to a position.
  func come(_ latitude: Double, _ longitude: Double) throws {
    let position = Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
    try step([
      .located(Location(time: BootClock.systemDate, position: position, accuracy: 3))
    ])
  }

  /// The broker accepts the pending messages and delivers them to others.
  func send(to others: PersonsStore...) throws {
    let publications = try pending
    for other in others {
      try other.step(publications.map { .arrived(topic: $0.topic, payload: $0.payload) })
    }
    try step(publications.map { .acknowledged(topic: $0.topic, payload: $0.payload) })
  }
}
