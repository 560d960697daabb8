import ArgumentParser
import Formats
import Records
import Store

/// `godwit places crossings`: when the board entered and left places.
struct PlacesCrossingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossings", abstract: "List arrivals at places and departures.",
    discussion: ListingOptions.discussion)

  @OptionGroup var options: ListingOptions

  func run() throws {
    try options.store.read { reader in
      var listing = Listing(json: options.json, Crossing.columns, fitsRows: true)
      try listing.finish(with: try reader.crossings(in: options.times.range))
    }
  }
}
