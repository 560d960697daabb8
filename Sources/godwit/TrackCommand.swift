import ArgumentParser
import Formats
import Notation
import Quantities
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
      var listing = Listing(
        json: json,
        [
          .init("TIME", 19), .init("LATITUDE", 11, .right), .init("LONGITUDE", 12, .right),
          .init("ACCURACY", 8, .right), .init("ALTITUDE", 9, .right), .init("SPEED", 9, .right),
          .init("SOURCE", 6), .init("REASON", 9), .init("SESSION", 7, .right),
        ])
      var points = try reader.trackPoints(in: times.range)
      while let point = try points.next() {
        try listing.row(cells: { Self.cells(point) }) { RecordJSON.append(point, to: &$0) }
      }
      try listing.finish()
    }
  }

  private static func cells(_ point: TrackPoint) -> [String] {
    let sighting = point.sighting
    return [
      LocalTime.text(sighting.time),
      FixedDecimal.text(sighting.place.latitude.value, digits: 6),
      FixedDecimal.text(sighting.place.longitude.value, digits: 6),
      FixedDecimal.text(sighting.accuracy.value, digits: 0) + " m",
      sighting.altitude.map { FixedDecimal.text($0.value, digits: 0) + " m" } ?? "",
      sighting.speed.map { FixedDecimal.text($0.value, digits: 1) + " m/s" } ?? "",
      sighting.source.rawValue, point.reason.rawValue, point.session.map { "\($0)" } ?? "",
    ]
  }
}
