import ArgumentParser
import Formats
import Glibc
import Core
import Ports
import Records
import Store

/// The output format of a listing.
enum ListingForm { case table, json, csv }

/// A listing: a table with aligned columns for people, or a JSON array or CSV for programs. Rows of
/// a track are printed as they are read, so that a year of points is never in memory.
struct Listing<Row> {
  private let columns: Columns<Row>
  private let style: TableStyle
  private let form: ListingForm
  /// Nil for JSON and CSV.
  private var table: TextTable?
  private var output: [UInt8] = []
  private var json = JSONWriter()
  private var rows = 0
  /// The lines of a table whose columns are fitted to them; nil for one that is printed
  /// immediately.
  private var waiting: [[String]]?

  /// - Parameter fitsRows: for tables of few rows, whose columns are fitted to the content.
  init(
    _ form: ListingForm, _ columns: Columns<Row>,
    style: TableStyle = TableStyle(time: LocalTime.text), fitsRows: Bool = false
  ) {
    self.columns = columns
    self.style = style
    self.form = form
    table = form == .table ? columns.layout : nil
    if table != nil, fitsRows { waiting = [] }
    if table != nil { line(columns.titles) }
    if form == .csv { output = Array(columns.csvHeading.utf8) }
  }

  init(
    json: Bool, _ columns: Columns<Row>, style: TableStyle = TableStyle(time: LocalTime.text),
    fitsRows: Bool = false
  ) {
    self.init(json ? .json : .table, columns, style: style, fitsRows: fitsRows)
  }

  mutating func add(_ row: Row) throws(FileFailure) {
    switch form {
    case .table: line(columns.cells(of: row, style: style))
    case .csv: columns.append(row, toCSV: &output)
    case .json:
      json.removeAll()
      columns.append(row, to: &json)
      output.append(contentsOf: (rows == 0 ? "[\n" : ",\n").utf8)
      output.append(contentsOf: json.bytes)
    }
    rows += 1
    if output.count > OutputBytes.flushThreshold { try flush() }
  }

  mutating func finish(with rows: RowCursor<Row>) throws {
    var rows = rows
    while let row = try rows.next() { try add(row) }
    try finish()
  }

  mutating func finish() throws(FileFailure) {
    if let lines = waiting {
      waiting = nil
      table = table?.fitted(to: lines)
      for cells in lines { line(cells) }
    }
    if form == .json { output.append(contentsOf: (rows == 0 ? "[]\n" : "\n]\n").utf8) }
    try flush()
  }

  private mutating func flush() throws(FileFailure) {
    try OutputBytes.write(output, to: STDOUT_FILENO, name: "standard output")
    output.removeAll(keepingCapacity: true)
  }

  private mutating func line(_ cells: [String]) {
    let cells = cells.map { TerminalText.line($0) }
    guard waiting == nil else {
      waiting?.append(cells)
      return
    }
    // A time in a repeated hour is wider, because its zone is appended.
    table?.widen(for: cells)
    output.append(contentsOf: (table?.line(cells) ?? "").utf8)
    output.append(UInt8(ascii: "\n"))
  }
}

/// `godwit track`: the stored points of the trajectory.
struct TrackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track", abstract: "List the points of the trajectory.",
    discussion: ListingOptions.discussion)

  @OptionGroup var options: ListingOptions

  func run() throws {
    try options.store.read { reader in
      var listing = Listing(json: options.json, TrackPoint.columns)
      try listing.finish(with: reader.trackPoints(in: options.times.range))
    }
  }
}

/// `godwit visits`: where and when the board stayed.
struct VisitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits", abstract: "List the visits: where the board stayed, and when.",
    discussion: """
      \(ListingOptions.discussion) A moment is shown to the second if it is known within a \
      minute, and to the minute if within 15; otherwise it is a range, within which the board \
      arrived or left. The confidence that it stayed all the time decreases with the time that \
      was not watched.
      """)

  @OptionGroup var options: ListingOptions
  @Flag(
    help: """
      List the gaps instead: periods of more than 15 minutes with neither a location nor \
      evidence that the board rested.
      """)
  var gaps = false

  func run() throws {
    try options.store.read { reader in
      try reader.freeze()
      let end = try reader.newestRecord()
      let style = TableStyle(labels: try reader.labels(), end: end, time: LocalTime.text)
      if gaps { return try list(gaps: reader, until: end, style) }
      var listing = Listing(json: options.json, Visit.columns, style: style, fitsRows: true)
      try listing.finish(with: reader.visits(in: options.times.range))
    }
  }

  private func list(gaps reader: StoreReader, until end: UTCInstant?, _ style: TableStyle) throws {
    var visits = try reader.visits(in: options.times.range)
    var finder = GapFinder(try visits.all(), end: end)
    var points = try reader.trackPoints(in: options.times.range)
    while let point = try points.next() { finder.add(point) }
    finder.finish()
    var listing = Listing(json: options.json, Gap.columns, style: style, fitsRows: true)
    for gap in finder.gaps { try listing.add(gap) }
    try listing.finish()
  }
}

extension StoreReader {
  /// The user's names for destinations.
  func labels() throws(PortError) -> [Int64: String] {
    var destinations = try self.destinations()
    var labels: [Int64: String] = [:]
    while let destination = try destinations.next() {
      labels[destination.id] = destination.label
    }
    return labels
  }
}
