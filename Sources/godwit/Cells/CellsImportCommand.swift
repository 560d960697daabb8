import ArgumentParser
import Formats
import Core
import Store
import Runtime

struct CellsImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import cell positions from a CSV table of OpenCelliD or Ichnaea (MLS).",
    discussion: """
      The table has the columns radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,\
      created,updated,averageSignal, with or without that header. Invalid rows are skipped and \
      counted by their fault; of two rows for one cell the later measurement is used. The new \
      table replaces the old one when it is complete, even while the daemon runs. To continue an \
      interrupted import, run the same command again (not from standard input). For the table of \
      a whole continent use --mcc or --box: a million cells need 37 MB.
      """)

  @Argument(
    help: "CSV table; .gz is unpacked with gzip; - is standard input.",
    completion: .file(extensions: ["csv", "gz"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      "Only cells of these countries: mobile country codes, separated by commas: 262,204.",
      valueName: "list"))
  var mcc: CountryList?

  @Option(
    help: ArgumentHelp(
      "Only cells in this box: south,west,north,east in degrees, such as 50.7,3.3,53.6,7.3. With "
        + "west larger than east it crosses the 180th meridian. If south is negative, write "
        + "--box=-36,…", valueName: "s,w,n,e"))
  var box: BoxOption?

  @Flag(help: "Add to the present table instead of replacing it.") var add = false
  @OptionGroup var table: CellTableOptions

  func run() throws {
    let path = try table.path()
    do {
      let source = try CellSourceFile(file)
      let order = CellImport.Selection(
        source: source.identity + (add ? "\nadded" : ""), countries: mcc?.codes ?? [],
        box: box?.box)
      let work = try CellImport(path: path, order: order, adding: add)
      let reader = try Self.read(source, into: work, latest: tomorrow)
      let count = try work.finish()
      try OutputBytes.print(Self.report(work, reader, count: count, path: path))
    } catch let error as CellImportError {
      throw CommandError.failed(error.message)
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    }
  }

  private static func read(
    _ source: CellSourceFile, into work: CellImport, latest: Int64?
  ) throws -> CellTableReader {
    var progress = ImportProgress(of: source.size)
    var reader = CellTableReader(latest: latest)
    if let resumed = work.resumed {
      reader = CellTableReader(latest: latest, from: resumed.offset, header: resumed.header)
      try source.skip(resumed.offset)
      progress.note("continuing at byte \(resumed.offset), with \(work.kept) rows so far")
    }
    var isFirst = reader.offset == 0
    while let piece = try source.next() {
      if isFirst {
        isFirst = false
        do {
          try CellSourceFile.refuseOthers(piece, name: source.name)
        } catch {
          work.discard()
          throw error
        }
      }
      let bytes = piece.bindMemory(to: UInt8.self)
      reader.feed(bytes) { work.add($0) }
      if work.isFull { try work.commit(reader) }
      progress.show(reader.offset, rows: work.kept)
    }
    reader.finish { work.add($0) }
    try source.finish()
    try work.commit(reader)
    progress.end()
    guard work.kept > 0 else {
      work.discard()
      if work.unwanted > 0 {
        throw CommandError.failed(
          "\(source.name): none of its \(Counted.text(work.unwanted, "cell")) is in the selected "
            + "countries and the box, and the table was not changed; check --mcc and --box "
            + "(south,west,north,east)")
      }
      throw CommandError.failed(
        "\(source.name): it has no valid row of a cell\(faults(reader)), and the table was not "
          + "changed; use a CSV table of OpenCelliD or Ichnaea: "
          + "radio,mcc,net,area,cell,unit,lon,lat,range,…")
    }
    return reader
  }

  /// In seconds since 1970; nil if this machine's clock was not set.
  private var tomorrow: Int64? {
    guard let settings = try? table.configuration.load().settings else { return nil }
    return SystemCalendar.date(notBefore: settings.receiver.dateFloor).map {
      $0.date.nanoseconds / 1_000_000_000 + 86_400
    }
  }

  private static func report(
    _ work: CellImport, _ reader: CellTableReader, count: Int, path: String
  ) -> String {
    var lines: [String] = []
    for fault in CellRowFault.allCases {
      guard let number = reader.faults[fault] else { continue }
      lines.append("skipped: \(Counted.text(number, "row")) \(fault.text)")
    }
    if work.unwanted > 0 {
      lines.append("not selected: \(Counted.text(work.unwanted, "row")) elsewhere")
    }
    let rows = Counted.text(work.kept, "row")
    lines.append("\(path): \(Counted.text(count, "cell")), from \(rows)")
    return lines.joined(separator: "\n")
  }

  private static func faults(_ reader: CellTableReader) -> String {
    let most = reader.faults.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
    return most.map { " (\(Counted.text($0.value, "row")) \($0.key.text))" } ?? ""
  }
}

/// `262,204`: mobile country codes.
struct CountryList: ExpressibleByArgument {
  let codes: Set<UInt16>

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let codes = words.compactMap { UInt16($0) }.filter { (1...999).contains($0) }
    guard codes.count == words.count else { return nil }
    self.codes = Set(codes)
  }
}

/// `50.7,3.3,53.6,7.3`: south, west, north and east in degrees.
struct BoxOption: ExpressibleByArgument {
  let box: CellBox

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Double($0) }
    guard words.count == 4, numbers.count == 4,
      let box = CellBox(
        south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
    else { return nil }
    self.box = box
  }
}
