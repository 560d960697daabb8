/// The meaning of a table's columns: names are matched without case, spaces and punctuation.
struct CSVHeader: Sendable {
  enum Field: Int, Sendable, CaseIterable {
    case time, latitude, longitude, altitude, accuracy, hdop, speed, individual
    /// In addition to a time of day.
    case date
    /// The hemisphere, in addition to degrees without a sign.
    case northSouth, eastWest
    /// The offset of its times from UTC.
    case offset
    /// Whether the file marks the position as valid, or as an outlier.
    case valid, outlier
    /// Morning or afternoon, for a time of the 12-hour clock.
    case half
  }

  /// The field of each column, nil for unused ones; ends with the last used one.
  private(set) var columns: [Field?] = []
  let separator: UInt8
  /// Maximum number of columns of a row: a decimal comma gives more.
  let width: Int
  /// Metres per second for one unit of its speeds.
  private(set) var speedUnit = 1.0
  /// Whether its times are UTC according to the format.
  private(set) var isUTC = false
  /// Whether a number in the time column may count from the start of GPS time.
  private(set) var hasGPSTime = false
  /// Whether a date of six digits has the year first.
  private(set) var hasShortDates = false
  /// How the individuals in its column are kept apart.
  private(set) var individuals = TraceIndividuals.Kind.tracks

  /// In each list the better name comes first: a table may contain the time twice.
  private static let names: [(field: Field, names: [String])] = [
    (
      .time,
      [
        "time", "timeiso", "isotime", "fixtime", "timestamp", "trackedat", "datetime", "timeutc",
        "utc", "utctime", "datetimeutc", "gpstime", "devicetime", "date", "ts", "tst", "unixtime",
        "epoch", "timestampms",
      ]
    ),
    (
      .latitude,
      ["lat", "latitude", "latitudedeg", "latdeg", "locationlat", "y", "latitudens"]
    ),
    (
      .longitude,
      [
        "lon", "lng", "long", "longitude", "longitudedeg", "londeg", "locationlong", "x",
        "longitudeew",
      ]
    ),
    (
      .altitude,
      [
        "ele", "alt", "altitude", "elevation", "elem", "altm", "altitudem", "elevationm", "altmsl",
        "heightabovemsl", "height", "heightm",
      ]
    ),
    (
      .accuracy,
      [
        "hacc", "accuracy", "acc", "horizontalaccuracy", "accuracym", "haccm", "accm", "eph",
        "horizontalaccuracym", "locationerrornumerical", "precision",
      ]
    ),
    (.hdop, ["hdop"]),
    (
      .speed,
      ["speed", "speedms", "speedmps", "velocity", "vel", "groundspeed", "speedkmh", "speedkph"]
    ),
    (.individual, TraceIndividuals.columns),
  ]

  /// Columns that only add to another one.
  private static let companions: [(field: Field, names: [String])] = [
    (.date, ["date", "utcdate", "dateutc", "gpsdate"]),
    (.northSouth, ["ns"]), (.eastWest, ["ew"]), (.offset, ["utcoffset"]),
    (.valid, ["visible"]), (.valid, ["valid"]), (.outlier, ["algorithmmarkedoutlier"]),
    (.outlier, ["manuallymarkedoutlier"]), (.outlier, ["importmarkedoutlier"]),
    (.half, ["ampm"]),
  ]

  private static let kilometresPerHour = 1 / 3.6
  private static let knot = 1852.0 / 3600
  private static let longestList = 200  // bytes

  /// - Throws: if there is no column for the time, the latitude or the longitude, or if a used
  ///   column occurs twice: it is unknown which of them is right.
  init(_ line: UnsafeBufferPointer<UInt8>, at number: Int) throws(TraceError) {
    guard !line.contains(0x0D) else {
      throw TraceError(
        line: number, "a carriage return without a line feed; save the file with Unix line ends")
    }
    separator = Self.separator(of: line[...])
    let found = Self.words(line[...], separator: separator)
    width = found.count
    for (field, names) in Self.names {
      guard let column = names.lazy.compactMap({ found.firstIndex(of: $0) }).first else { continue }
      guard field == .individual || found.lastIndex(of: found[column]) == column else {
        throw TraceError(
          line: number, "there are two columns \"\(found[column])\"; rename or remove one")
      }
      use(column, as: field)
      if field == .time { hasGPSTime = found[column] == "gpstime" }
      if field == .individual { individuals = TraceIndividuals.kind(ofColumn: found[column]) }
      if field == .speed, found[column].hasPrefix("speedk") { speedUnit = Self.kilometresPerHour }
    }
    for (field, names) in Self.companions {
      if let column = names.lazy.compactMap({ found.firstIndex(of: $0) }).first,
        column >= columns.count || columns[column] == nil
      {
        use(column, as: field)
      }
    }
    // Traccar's speeds are in knots; Movebank's times are UTC, without a zone.
    if found.contains("fixtime"), found.contains("protocol") || found.contains("deviceid") {
      speedUnit = Self.knot
    }
    isUTC = found.contains("locationlat")
    // Columbus loggers.
    if found.contains("latitudens") {
      hasShortDates = true
      speedUnit = Self.kilometresPerHour
    }
    for field in [Field.time, .latitude, .longitude] where !columns.contains(field) {
      throw Self.missing(field, found: line, at: number)
    }
  }

  private mutating func use(_ column: Int, as field: Field) {
    while columns.count <= column { columns.append(nil) }
    columns[column] = field
  }

  private static func missing(
    _ field: Field, found line: UnsafeBufferPointer<UInt8>, at number: Int
  ) -> TraceError {
    let names = names[field.rawValue].names
    let list = CSVFields.text(line, most: longestList)
    return TraceError(
      line: number,
      "no column \"\(names[0])\", nor one called \(names.dropFirst().joined(separator: ", ")); "
        + "the first line is \"\(list)\"; a trace needs a header such as time,lat,lon,ele")
  }

  /// Whether a first line could be the header of a trace.
  static func isLikely(_ line: some Collection<UInt8>) -> Bool {
    let found = words(line, separator: separator(of: line))
    return names.prefix(3).allSatisfy { $0.names.contains { found.contains($0) } }
  }

  /// Excel's line before the header that declares the separator.
  static func namesSeparator(_ line: some Collection<UInt8>) -> Bool {
    line.count <= 8
      && line.drop { $0 == UInt8(ascii: "\"") }.prefix(4).map(lowercased)
        .elementsEqual("sep=".utf8)
  }

  /// Comma, semicolon or tab, whichever is most frequent in the line.
  static func separator(of line: some Sequence<UInt8>) -> UInt8 {
    var counts = (comma: 0, semicolon: 0, tab: 0)
    for byte in line {
      switch byte {
      case UInt8(ascii: ","): counts.comma += 1
      case UInt8(ascii: ";"): counts.semicolon += 1
      case UInt8(ascii: "\t"): counts.tab += 1
      default: break
      }
    }
    if counts.comma >= max(counts.semicolon, counts.tab) { return UInt8(ascii: ",") }
    return counts.semicolon >= counts.tab ? UInt8(ascii: ";") : UInt8(ascii: "\t")
  }

  /// The names of the columns, letters and digits only, in lower case.
  static func words(_ line: some Collection<UInt8>, separator: UInt8) -> [String] {
    line.split(separator: separator, omittingEmptySubsequences: false).map { word($0) }
  }

  static func word(_ name: some Sequence<UInt8>) -> String {
    String(
      decoding: name.map(lowercased).filter {
        $0 &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10
      }, as: UTF8.self)
  }
}
