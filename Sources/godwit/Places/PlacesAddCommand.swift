import ArgumentParser
import Formats
import Places
import Ports
import Core
import Records
import Store

/// `godwit places add`: adds a place at a given position, at the board's position, or at a
/// destination.
struct PlacesAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a place.",
    discussion: """
      Specify the position with --at, --here, --destination or --follows. Draw an area in QGIS, \
      or import it from a file.
      """)

  @Argument(help: "Name of the place.") var name: String
  @OptionGroup var options: PlaceOptions
  @Flag(help: "Use the board's present or last known position.") var here = false
  @Option(
    help: ArgumentHelp("Use the position and radius of this destination.", valueName: "number"))
  var destination: Int64?
  @OptionGroup var board: BoardOptions

  func validate() throws {
    let given = [options.at != nil, here, destination != nil, options.follows != nil]
    guard given.count(where: { $0 }) == 1 else {
      throw ValidationError(
        "specify the position with one of --at, --here, --destination and --follows")
    }
  }

  func run() throws { try board.store.creatingIfNamed(add) }

  private func add() throws {
    let table = try board.store.places()
    let destination = try destinationFound()
    var details = PlaceDetails(
      name: name, location: try location(of: destination),
      perimeter: .circle(radius: destination?.radius ?? PlaceFileDefaults.ofStore.radius),
      owner: board.store.visitor.name)
    try options.apply(to: &details, among: table)
    var chance = SystemRandomNumberGenerator()
    let place = try Place.made(PlaceID.made(using: &chance), details)
    try board.store.editPlaces { try $0.put([PlaceRow(place)]) }
    try OutputBytes.print("\(place.id)")
    table.warnOfNamesakes(of: place)
    try board.store.warnWithoutRadio(options.beacon)
  }

  private func location(of destination: Destination?) throws -> PlaceLocation {
    if let device = options.device { return .following(device) }
    return .fixed(try options.at?.position ?? destination?.position ?? board.sighting().position)
  }

  private func destinationFound() throws -> Destination? {
    guard let destination else { return nil }
    var found: Destination?
    try board.store.read { reader in
      var rows = try reader.destinations()
      while let row = try rows.next() { if row.id == destination { found = row } }
    }
    guard var found else {
      throw CommandError.failed(
        "there is no destination \(destination); `godwit destinations` lists them")
    }
    // A smaller place could not be distinguished from its surroundings.
    found.radius = max(found.radius, PlaceFileDefaults.ofStore.radius)
    return found
  }
}
