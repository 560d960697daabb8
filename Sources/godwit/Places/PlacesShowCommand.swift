import ArgumentParser
import Formats
import Places
import Store

/// `godwit places show`: everything about one place.
struct PlacesShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all properties of a place.")

  @Argument(help: "Name or UUID (or its first digits) of the place.") var place: String
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a GeoJSON feature collection.") var json = false

  func run() throws {
    let table = try board.store.places()
    let place = try table.place(place)
    guard !json else {
      var writer = PlaceFileFormat.geojson.writer()
      _ = writer.place(place)
      writer.finish()
      return try OutputBytes.print(String(decoding: writer.output, as: UTF8.self), terminator: "")
    }
    var devices = board.devices
    let page = PlacePage(place, among: table.places, device: devices.report(of: place))
    try OutputBytes.print(page.text)
  }
}
