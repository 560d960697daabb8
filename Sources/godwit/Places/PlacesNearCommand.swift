import ArgumentParser
import Core
import Places
import Store

/// `godwit places near`: the places in range, the nearest first.
struct PlacesNearCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "near", abstract: "List the places nearby, the nearest first.",
    discussion: """
      The distance is to the place; the distance to the edge is to its perimeter. Arrows are \
      relative to the board's direction of travel, or to north while it is at rest.
      """)

  @Option(
    help: ArgumentHelp("Centre of the search. Default: the board.", valueName: "lat,lon"),
    transform: PositionOption.read)
  var at: PositionOption?
  @Option(help: ArgumentHelp("Maximum distance from the edge, in metres.", valueName: "m"))
  var within = 1000.0
  @Option(help: "Only places with this tag.") var tag: String?
  @Flag(help: "Include places that are closed now.") var closed = false
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON array.") var json = false

  private static let widest = 20_100_000.0

  func validate() throws {
    guard (0...Self.widest).contains(within) else {
      throw ValidationError("--within must be 0 to \(Int(Self.widest)) metres")
    }
  }

  func run() throws {
    let sighting = try at.map { LastKnownPosition(given: $0.position) } ?? board.sighting()
    let range = SphericalCap(centre: sighting.position, radius: Metres(max(within, 1)))
    let table = try board.store.places(near: range.box)
    var devices = board.devices
    let hours = OpeningHours()
    let visitor = board.store.visitor
    let listed = table.places.filter { tag.map($0.tags.contains) ?? true }
      .filter(visitor.sees)
      .map {
        ListedPlace(
          $0, at: devices.position(of: $0), from: sighting.position, heading: sighting.heading)
      }
    reportUnknown(listed.count { $0.position == nil })
    let around = listed.filter { ($0.distanceToEdge?.value ?? .infinity) <= within }
      .sorted { $0.order < $1.order }
    let found = around.filter { closed || hours.isOpen($0.place) }
    reportClosed(around.count - found.count)
    var listing = Listing(json: json, ListedPlace.columnsFromHere, fitsRows: true)
    for place in found { try listing.add(place) }
    try listing.finish()
  }
}

extension PlacesNearCommand {
  private func reportClosed(_ count: Int) {
    guard count > 0 else { return }
    var messages = StandardError()
    let places = Counted.text(count, "place is", "places are")
    print("godwit: \(places) closed now; --closed includes them", to: &messages)
  }

  private func reportUnknown(_ count: Int) {
    guard count > 0 else { return }
    var messages = StandardError()
    print(
      "godwit: \(Counted.text(count, "place moves", "places move")) with a device whose position "
        + "is unknown here", to: &messages)
  }
}

extension ListedPlace {
  /// Sorts by distance to the edge, then by distance to the centre, then by id.
  fileprivate var order: (Metres, PlaceID) {
    (max(distanceToEdge ?? 0, 0) + (direction?.distance ?? 0) * 1e-9, place.id)
  }
}
