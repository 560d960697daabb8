import ArgumentParser
import Formats
import Records
import Store

/// `godwit trips`: the movements between visits.
struct TripsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trips", abstract: "List the trips between visits.",
    discussion: """
      \(ListingOptions.discussion) Times in CSV are UTC, too. The distance follows the stored \
      track, with a standard uncertainty from the accuracy of the points and from the \
      simplification (trajectory.sed_bound_m of the settings). Across a time without positions it \
      is a straight line, a lower limit. The mode is inferred from the speed.
      """)

  @OptionGroup var options: ListingOptions
  @Flag(help: "Print a CSV table with units in its heading, as a driver's log.") var csv = false

  func validate() throws {
    guard !csv || !options.json else {
      throw ValidationError("--csv and --json exclude each other")
    }
  }

  func run() throws {
    let bound = try options.store.configuration.load().settings.pipeline.trajectory.sedBound
    try options.store.read { reader in
      try reader.freeze()
      let labels = try reader.labels()
      // All visits are read: a trip in the range may begin or end at a visit outside.
      var visits = try reader.visits()
      var finder = TripFinder(try visits.all(), labels: labels, bound: bound)
      var points = try reader.trackPoints()
      while let point = try points.next() { finder.add(point) }
      finder.finish()
      let form: ListingForm = csv ? .csv : options.json ? .json : .table
      var listing = Listing(form, Trip.columns, fitsRows: true)
      let range = options.times.range
      for trip in finder.trips(from: range.from, to: range.to) { try listing.add(trip) }
      try listing.finish()
    }
  }
}
