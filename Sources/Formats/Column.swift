import Core

/// One column of a listing, declared once for all output formats: the table for people, JSON and
/// the properties of GeoJSON for programs, and CSV.
public struct Column<Row>: Sendable {
  public struct Forms: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static var table: Forms { Forms(rawValue: 1) }
    public static var json: Forms { Forms(rawValue: 2) }
    /// Of a GeoJSON feature, which has its position in the geometry.
    public static var properties: Forms { Forms(rawValue: 4) }
    public static var csv: Forms { Forms(rawValue: 8) }
  }

  /// The value of a row in this column; nil: unknown.
  enum Value: Sendable {
    case time(UTCInstant?)
    case number(Double?)
    case count(Int?)
    case text(String?)
    /// An array in JSON, with commas elsewhere.
    case texts([String])
    /// Objects in JSON; for people they have a formatted cell.
    case parts([JSONValue])
    /// Fixed text of the program, which needs no quotes.
    case word(String)
    case flag(Bool?)

    /// As a program reads it; nil where it is unknown.
    func text(digits: Int) -> String? {
      switch self {
      case .time(let time): time.map { ISO8601.text($0, digits: digits) }
      case .number(let number):
        number.flatMap { $0.isFinite ? FixedDecimal.text($0, digits: digits) : nil }
      case .count(let count): count.map { "\($0)" }
      case .text(let text): text
      case .texts(let texts): texts.joined(separator: ", ")
      case .parts: nil
      case .word(let word): word
      case .flag(let flag): flag.map { $0 ? "true" : "false" }
      }
    }
  }

  let key: StaticString
  /// Decimals of a number in JSON and CSV, or of the seconds of a time.
  let digits: Int
  /// JSON omits trailing zeros, and the key if the value is unknown.
  private(set) var isBrief = false
  let cell: TableCell<Row>?
  /// The heading in CSV.
  let heading: String?
  private(set) var forms: Forms
  let value: @Sendable (Row) -> Value

  private init(
    _ key: StaticString, digits: Int, cell: TableCell<Row>?, csv heading: String?,
    value: @escaping @Sendable (Row) -> Value
  ) {
    self.key = key
    self.digits = digits
    self.cell = cell
    self.heading = heading
    self.value = value
    forms = [.json, .properties]
    if cell != nil { forms.insert(.table) }
    if heading != nil { forms.insert(.csv) }
  }

  public static func time(
    _ key: StaticString, cell: TableCell<Row>? = nil, csv: String? = nil,
    _ value: @escaping @Sendable (Row) -> UTCInstant?
  ) -> Column {
    Column(key, digits: 3, cell: cell, csv: csv) { .time(value($0)) }
  }

  public static func number(
    _ key: StaticString, digits: Int, cell: TableCell<Row>? = nil, csv: String? = nil,
    _ value: @escaping @Sendable (Row) -> Double?
  ) -> Column {
    Column(key, digits: digits, cell: cell, csv: csv) { .number(value($0)) }
  }

  public static func count(
    _ key: StaticString, cell: TableCell<Row>? = nil, csv: String? = nil,
    _ value: @escaping @Sendable (Row) -> Int?
  ) -> Column {
    Column(key, digits: 0, cell: cell, csv: csv) { .count(value($0)) }
  }

  public static func text(
    _ key: StaticString, cell: TableCell<Row>? = nil, csv: String? = nil,
    _ value: @escaping @Sendable (Row) -> String?
  ) -> Column {
    Column(key, digits: 0, cell: cell, csv: csv) { .text(value($0)) }
  }

  public static func texts(
    _ key: StaticString, cell: TableCell<Row>? = nil, csv: String? = nil,
    _ value: @escaping @Sendable (Row) -> [String]
  ) -> Column {
    Column(key, digits: 0, cell: cell, csv: csv) { .texts(value($0)) }
  }

  /// - Parameter cell: one with a format of its own.
  public static func parts(
    _ key: StaticString, cell: TableCell<Row>, _ value: @escaping @Sendable (Row) -> [JSONValue]
  ) -> Column {
    Column(key, digits: 0, cell: cell, csv: nil) { .parts(value($0)) }
  }

  static func word(
    _ key: StaticString, csv: String? = nil, _ value: @escaping @Sendable (Row) -> String
  ) -> Column {
    Column(key, digits: 0, cell: nil, csv: csv) { .word(value($0)) }
  }

  public static func flag(
    _ key: StaticString, cell: TableCell<Row>? = nil, csv: String? = nil,
    _ value: @escaping @Sendable (Row) -> Bool?
  ) -> Column {
    Column(key, digits: 0, cell: cell, csv: csv) { .flag(value($0)) }
  }

  /// A column for people only.
  public static func table(_ cell: TableCell<Row>) -> Column {
    Column("", digits: 0, cell: cell, csv: nil) { _ in .text(nil) }.only(.table)
  }

  /// The same column in fewer forms: if the order differs, it is listed twice.
  public func only(_ forms: Forms) -> Column {
    var column = self
    column.forms.formIntersection(forms)
    return column
  }

  public func except(_ forms: Forms) -> Column { only(self.forms.subtracting(forms)) }

  /// Without trailing zeros in JSON, and omitted there if the value is unknown.
  public var brief: Column {
    var column = self
    column.isBrief = true
    return column
  }
}

/// The format of a column in a table for people.
public struct TableCell<Row>: Sendable {
  public typealias Text = @Sendable (Row, TableStyle) -> String

  enum Format: Sendable {
    /// Times in the table's style, integers, words, and 1 or 0 for flags.
    case plain
    /// A number times `scale`, followed by its unit.
    case figure(digits: Int, scale: Double, unit: String)
    case made(Text)
  }

  let title: String
  let layout: TextTable.Column
  let format: Format
  /// The text for an unknown value.
  let missing: String

  private init(
    _ title: String, _ width: Int, _ side: TextTable.Side, _ format: Format, missing: String
  ) {
    self.title = title
    layout = TextTable.Column(width: width, side: side)
    self.format = format
    self.missing = missing
  }

  public static func plain(
    _ title: String, _ width: Int = 0, _ side: TextTable.Side = .left, missing: String = ""
  ) -> TableCell {
    TableCell(title, width, side, .plain, missing: missing)
  }

  public static func figure(
    _ title: String, _ width: Int = 0, digits: Int, scale: Double = 1, unit: String = ""
  ) -> TableCell {
    TableCell(
      title, width, .right, .figure(digits: digits, scale: scale, unit: unit), missing: "")
  }

  public static func made(
    _ title: String, _ width: Int, _ side: TextTable.Side = .left, _ text: @escaping Text
  ) -> TableCell {
    TableCell(title, width, side, .made(text), missing: "")
  }

  func text(_ row: Row, _ value: Column<Row>.Value, _ style: TableStyle) -> String {
    if case .made(let text) = format { return text(row, style) }
    switch value {
    case .time(let time): return time.map(style.time) ?? missing
    case .count(let count): return count.map { "\($0)" } ?? missing
    case .text(let text): return text ?? missing
    case .texts(let texts): return texts.isEmpty ? missing : texts.joined(separator: ", ")
    case .word(let word): return word
    case .parts: return missing
    case .flag(let flag): return flag.map { $0 ? "1" : "0" } ?? ""
    case .number(let number):
      guard let number else { return missing }
      guard case .figure(let digits, let scale, let unit) = format else { return "\(number)" }
      return FixedDecimal.text(number * scale, digits: digits) + unit
    }
  }
}

/// Settings of a table for people.
public struct TableStyle: Sendable {
  /// `2026-05-04 07:12:02`, followed by a zone if the time would be ambiguous; or ISO 8601.
  let time: @Sendable (UTCInstant) -> String
  /// The user's names of destinations.
  let labels: [Int64: String]
  /// The end of the data: a visit without an end was still going on then.
  let end: UTCInstant?

  public init(
    labels: [Int64: String] = [:], end: UTCInstant? = nil,
    time: @escaping @Sendable (UTCInstant) -> String = { ISO8601.text($0) }
  ) {
    self.time = time
    self.labels = labels
    self.end = end
  }

  /// To the minute.
  public func minute(_ time: UTCInstant) -> String {
    let text = self.time(time)
    let zone = text.dropFirst(19)
    return String(text.prefix(16)) + (zone.hasPrefix(" ") ? zone : "")
  }

  var stillThere: String { end.map { "still there at \(minute($0))" } ?? "still there" }
}
