import ArgumentParser
import Formats
import Records

/// `godwit track`: the stored points of the trajectory.
struct TrackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track", abstract: "List the points of the trajectory.",
    discussion: "Times of the table are local, those of the JSON are UTC.")

  @OptionGroup var options: ListingOptions

  func run() throws {
    try options.store.read { reader in
      var listing = Listing(json: options.json, TrackPoint.columns)
      var points = try reader.trackPoints(in: options.times.range)
      while let point = try points.next() { try listing.add(point) }
      try listing.finish()
    }
  }
}
