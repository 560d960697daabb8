import ArgumentParser
import Notation
import Quantities
import VirtualDevice

/// A synthetic life as the ground truth of a simulation, and the file for what it is to find.
struct LifeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Synthetic life to simulate: \(Life.all.map(\.name).joined(separator: ", ")); "
        + "\(Life.all[0].name) if not given.", valueName: "name"),
    completion: .list(Life.all.map(\.name)))
  var life: String?
  // Unconditional, so that -1 is refused as a number of days and not taken for another option.
  @Option(parsing: .unconditional, help: "Synthetic days when there is no trace: 1 if not given.")
  var days: Int?
  @Option(
    help: ArgumentHelp("First synthetic day: 2026-05-04 if not given.", valueName: "yyyy-mm-dd"))
  var from: String?
  @Option(
    help: ArgumentHelp(
      "Write the true stays there, a JSON array with arrival, departure, lat and lon of each; a "
        + "file there is replaced.", valueName: "file"), completion: .file())
  var truthStays: String?

  var dayCount: Int { days ?? 1 }

  func groundTruth(seed: UInt64) throws(CommandError) -> PlannedTruth {
    let name = life ?? Life.all[0].name
    guard let life = Life.named(name) else {
      let names = Life.all.map(\.name).joined(separator: ", ")
      throw .wrongUsage("--life: there is no life '\(name)'; there are \(names)")
    }
    guard (1...36_600).contains(dayCount) else {
      throw .wrongUsage("--days: 1 to 36600, not \(dayCount)")
    }
    let from = from ?? "2026-05-04"
    guard let day = ISO8601.parse(from) else {
      throw .wrongUsage("--from: '\(from)' is not a date (yyyy-mm-dd)")
    }
    return PlannedTruth(life.itinerary(seed: seed), from: day, days: dayCount, seed: seed)
  }

  func refuseBesideTrace() throws(CommandError) {
    guard life == nil, days == nil, from == nil else {
      throw .wrongUsage(
        "--life, --days and --from choose a synthetic ground truth: do not give a trace too")
    }
    guard truthStays == nil else {
      throw .wrongUsage("--truth-stays: a trace does not say where it stayed; only a life does")
    }
  }

  /// The file for the stays, opened before anything is computed; nil if none is wanted.
  func staysFile(beside stores: ProtectedStores) throws -> AtomicFile? {
    guard let truthStays else { return nil }
    try stores.refuse(truthStays, namedBy: "--truth-stays")
    return try AtomicFile(path: truthStays)
  }

  func write(_ stays: [PlannedStay], to file: AtomicFile) throws(FileFailure) {
    let array = stays.map { stay in
      JSONValue.object([
        ("arrival", .string(ISO8601.text(stay.arrival))),
        ("departure", .string(ISO8601.text(stay.departure))),
        ("lat", .rounded(stay.place.position.latitude.value, digits: 7)),
        ("lon", .rounded(stay.place.position.longitude.value, digits: 7)),
        ("name", .string(stay.place.name)),
      ])
    }
    try file.write(Array((JSONValue.array(array).text + "\n").utf8))
    try file.commit()
  }
}
