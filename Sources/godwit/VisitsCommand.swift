import ArgumentParser
import Formats
import Notation
import Quantities
import Records

/// `godwit visits`: where the carrier stayed.
struct VisitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits", abstract: "List where the carrier stayed, and when.",
    discussion: "Times of the table are local, those of the JSON are UTC.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var times: RangeOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    try store.read { reader in
      var destinations = try reader.destinations()
      var labels: [Int64: String] = [:]
      while let destination = try destinations.next() {
        labels[destination.id] = destination.label
      }
      var listing = Listing(
        json: json,
        [
          .init("ID", 5, .right), .init("ARRIVAL", 19), .init("DEPARTURE", 19),
          .init("STAY", 11, .right), .init("LATITUDE", 11, .right), .init("LONGITUDE", 12, .right),
          .init("ACCURACY", 8, .right), .init("SURE", 5, .right), .init("DESTINATION", 11),
        ])
      var visits = try reader.visits(in: times.range)
      while let visit = try visits.next() {
        try listing.row(cells: { Self.cells(visit, labels) }) { RecordJSON.append(visit, to: &$0) }
      }
      try listing.finish()
    }
  }

  private static func cells(_ visit: Visit, _ labels: [Int64: String]) -> [String] {
    let departure = visit.departure?.estimate
    return [
      "\(visit.id)", LocalTime.text(visit.arrival.estimate),
      departure.map(LocalTime.text) ?? "still there",
      departure.map { ($0 - visit.arrival.estimate).hoursAndMinutes } ?? "",
      FixedDecimal.text(visit.place.latitude.value, digits: 6),
      FixedDecimal.text(visit.place.longitude.value, digits: 6),
      FixedDecimal.text(visit.accuracy.value, digits: 0) + " m",
      FixedDecimal.text(visit.confidence * 100, digits: 0) + " %",
      visit.destination.map { labels[$0] ?? "\($0)" } ?? "",
    ]
  }
}

extension Seconds {
  /// `26 h 05 min`, for tables.
  var hoursAndMinutes: String {
    let minutes = Int64((max(0, min(value, 1e12)) / 60).rounded())
    guard minutes >= 60 else { return "\(minutes) min" }
    let rest = minutes % 60
    return "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
  }
}
