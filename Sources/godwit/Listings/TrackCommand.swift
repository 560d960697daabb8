import ArgumentParser
import Formats
import Records

/// `godwit track`: the stored points of the trajectory.
struct TrackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track", abstract: "List the points of the trajectory.",
    discussion: "Times of the table are local, those of the JSON are UTC.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var times: RangeOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    try store.read { reader in
      var listing = Listing(json: json, TrackPoint.columns)
      var points = try reader.trackPoints(in: times.range)
      while let point = try points.next() { try listing.add(point) }
      try listing.finish()
    }
  }
}
