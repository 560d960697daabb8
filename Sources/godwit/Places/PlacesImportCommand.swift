import ArgumentParser
import Core
import Formats
import Places
import Records
import Store

/// `godwit places import`: reads places from a file into the store.
struct PlacesImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import places from a file.",
    discussion: """
      GeoJSON, GPX, KML and OwnTracks' waypoints are recognised by their content. A place with a \
      known UUID is updated from the file, and keeps properties for which the format has no \
      field. A place without a UUID is identified by all its properties in the file, and stays \
      unchanged in the store: importing a file twice changes nothing. Invalid entries are \
      reported; all others are imported.
      """)

  @Argument(help: "Input file; - is standard input.", completion: .file()) var file: String
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Radius of entries that are mere points, in metres.", valueName: "m"))
  var radius = PlaceFileDefaults.ofStore.radius.value
  @Option(help: "Owner of entries without one. Default: the person of the board.")
  var owner: String?
  @Flag(help: "Only show what would be imported into a store without places.") var dryRun = false
  @OptionGroup var store: StoreOptions

  /// The limit for equal remarks, and for different ones.
  private static let maxRemarks = 20

  func run() throws {
    do {
      var tally = PlaceImportCounts(limit: Self.maxRemarks)
      if dryRun {
        try scan(&tally) { _, _ in true }
        try tally.report(of: file, isTried: true)
      } else {
        try store.creatingIfNamed { try put(&tally) }
      }
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    } catch let error as PlaceFileError {
      throw CommandError.failed("\(file): \(error); nothing was imported")
    }
  }

  private func put(_ tally: inout PlaceImportCounts) throws {
    // All or nothing: an error that invalidates the whole file may be at its end.
    try store.editPlaces { editor in
      try editor.putAll { (put) throws in
        try scan(&tally, put)
      }
    }
    try tally.report(of: file, isTried: false)
  }

  private func scan(
    _ tally: inout PlaceImportCounts,
    _ put: (PlaceRow, _ update: (PlaceRow) -> PlaceRow) throws -> Bool
  ) throws {
    // One MB contains thousands of places, which take more work than the same number of cells.
    var progress = ImportProgress(of: nil, every: 1 << 20)
    defer { progress.end() }
    let hours = OpeningHours()
    let scan = PlaceFileScan(
      path: file,
      defaults: PlaceFileDefaults(owner: owner ?? store.visitor.name, radius: Metres(radius)))
    var count = tally.places
    try scan.read(progress: { progress.show($0, rows: count) }) { entries, format in
      tally.add(entries)
      for place in entries.compactMap(\.place) { hours.fault(of: place).map { tally.note($0) } }
      count = tally.places
      for entry in entries {
        guard let place = entry.place else { continue }
        let isChange = try put(PlaceRow(place)) { known in
          entry.isNamedByContent
            ? known : update(known, with: place, format, scan.defaults, &tally)
        }
        tally.count(place.id, isChange: isChange)
      }
    }
  }

  private func update(
    _ row: PlaceRow, with read: Place, _ format: PlaceFileFormat, _ defaults: PlaceFileDefaults,
    _ tally: inout PlaceImportCounts
  ) -> PlaceRow {
    guard let known = row.entry(.ofStore).place else { return PlaceRow(read) }
    let new = format.update(known, with: read, defaults)
    if case .polygons = known.perimeter, case .circle(let radius) = new.perimeter {
      tally.note("\(known.name): its polygon is replaced by a circle of \(radius.inWords)")
    }
    return new == known ? row : PlaceRow(new)
  }
}
