import ArgumentParser
import Notation
import PlaceFiles
import Places
import Quantities
import Records
import Store

/// `godwit places import`: places of a file into the store.
struct PlacesImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import places from a file.",
    discussion: """
      GeoJSON, GPX, KML and OwnTracks' waypoints are recognised by their content. A place that is \
      known by its UUID is replaced; one that has none is a new one each time. What is no place is \
      told, and the others are taken all the same.
      """)

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("Of what is a mere point, in metres.", valueName: "m"))
  var radius = PlaceTable.defaults.radius.value
  @Option(help: "Who made what has no owner.") var owner = PlaceTable.defaults.owner
  @Flag(help: "Only say what would be imported.") var dryRun = false
  @OptionGroup var store: StoreOptions

  /// So many are handed over at a time.
  private static let batch = 1000
  /// Of equal remarks, and of different ones.
  private static let told = 20

  func run() throws {
    do {
      var tally = PlaceImportTally(limit: Self.told)
      if dryRun {
        try scan(&tally) { _ in }
      } else {
        // All or nothing: what is wrong with a whole file may stand at its end.
        try store.editPlaces { editor in
          try editor.putAll { (put) throws in try scan(&tally) { try put($0) } }
        }
      }
      try tally.tell(of: file, isTried: dryRun)
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    } catch let error as PlaceFileError {
      throw CommandError.failed("\(file): \(error); nothing was imported")
    }
  }

  private func scan(
    _ tally: inout PlaceImportTally, _ put: ([PlaceRow]) throws -> Void
  ) throws {
    let input = try InputBytes(path: file)
    var progress = ImportProgress(of: nil)
    defer { progress.end() }
    var chance = SystemRandomNumberGenerator()
    var reader: (any PlaceReader)?
    var entries: [PlaceFileEntry] = []
    func flush(beyond limit: Int) throws {
      guard entries.count > limit else { return }
      tally.take(entries)
      try put(entries.compactMap { $0.place.map { PlaceRow($0) } })
      entries.removeAll(keepingCapacity: true)
    }
    while let piece = try input.next() {
      let bytes = piece.bindMemory(to: UInt8.self)
      if reader == nil { reader = try self.reader(for: bytes) }
      try reader?.feed(bytes, into: &entries, using: &chance)
      try flush(beyond: Self.batch)
      progress.show(reader?.byteCount ?? 0, rows: tally.places)
    }
    guard reader != nil else { throw CommandError.failed("\(file) is empty") }
    try reader?.finish(into: &entries, using: &chance)
    try flush(beyond: 0)
  }

  private func reader(for bytes: UnsafeBufferPointer<UInt8>) throws -> any PlaceReader {
    let head = Array(bytes.prefix(4096))
    guard let format = try PlaceFileFormat.detect(head: head, fileName: file) else {
      throw CommandError.failed(
        "\(file) is no file of places that is known: it should be GeoJSON, GPX, KML or "
          + "OwnTracks' waypoints")
    }
    return format.reader(PlaceFileDefaults(owner: owner, radius: Metres(radius)))
  }
}
