import ArgumentParser
import Formats
import Glibc
import Notation
import Records
import Store

/// What a listing prints: a table with aligned columns for people, or a JSON array for programs.
/// Rows are printed as they are read, so that a year of points is never in memory.
struct Listing<Row> {
  private let columns: Columns<Row>
  private let style: TableStyle
  /// Nil for JSON.
  private let table: TextTable?
  private var output: [UInt8] = []
  private var json = JSONWriter()
  private var rows = 0

  /// - Parameter labels: the user's names of destinations.
  init(json: Bool, _ columns: Columns<Row>, labels: [Int64: String] = [:]) {
    self.columns = columns
    style = TableStyle(labels: labels, time: LocalTime.text)
    table = json ? nil : columns.layout
    if let table { line(columns.titles, of: table) }
  }

  mutating func add(_ row: Row) throws(FileFailure) {
    if let table {
      line(columns.cells(of: row, style: style), of: table)
    } else {
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
    if table == nil { output.append(contentsOf: (rows == 0 ? "[]\n" : "\n]\n").utf8) }
    try flush()
  }

  private mutating func flush() throws(FileFailure) {
    try OutputBytes.write(output, to: STDOUT_FILENO, name: "standard output")
    output.removeAll(keepingCapacity: true)
  }

  private mutating func line(_ cells: [String], of table: TextTable) {
    output.append(contentsOf: table.line(cells.map { TerminalText.line($0) }).utf8)
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

/// `godwit visits`: where the board stayed.
struct VisitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits", abstract: "List where the board stayed, and when.",
    discussion: ListingOptions.discussion)

  @OptionGroup var options: ListingOptions

  func run() throws {
    try options.store.read { reader in
      var destinations = try reader.destinations()
      var labels: [Int64: String] = [:]
      while let destination = try destinations.next() {
        labels[destination.id] = destination.label
      }
      var listing = Listing(json: options.json, Visit.columns, labels: labels)
      try listing.finish(with: reader.visits(in: options.times.range))
    }
  }
}

extension Unicode.Scalar {
  var isControl: Bool { properties.generalCategory == .control }
}
