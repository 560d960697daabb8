import ArgumentParser
import Formats
import Records

/// `godwit visits`: where the board stayed.
struct VisitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits", abstract: "List where the board stayed, and when.",
    discussion: "Times of the table are local, those of the JSON are UTC.")

  @OptionGroup var options: ListingOptions

  func run() throws {
    try options.store.read { reader in
      var destinations = try reader.destinations()
      var labels: [Int64: String] = [:]
      while let destination = try destinations.next() {
        labels[destination.id] = destination.label
      }
      var listing = Listing(json: options.json, Visit.columns, labels: labels)
      var visits = try reader.visits(in: options.times.range)
      while let visit = try visits.next() { try listing.add(visit) }
      try listing.finish()
    }
  }
}
