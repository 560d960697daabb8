import ArgumentParser
import Places
import Store

/// `godwit places list`: all places, or those with a tag.
struct PlacesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the places.")

  @OptionGroup var board: BoardOptions
  @Option(help: "Only places with this tag.") var tag: String?
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let table = try board.store.places()
    var devices = board.devices
    var listing = Listing(json: json, ListedPlace.columns, fitsRows: true)
    for place in table.places where tag.map(place.tags.contains) ?? true {
      try listing.add(ListedPlace(place, at: devices.position(of: place)))
    }
    try listing.finish()
  }
}
