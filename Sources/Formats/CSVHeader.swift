/// Which column of a table contains what: names are matched without case, spaces and punctuation.
struct CSVHeader: Sendable {
  enum Field: Int, Sendable, CaseIterable {
    case time, latitude, longitude, altitude, accuracy, hdop, speed
  }

  /// The field of each column, nil for unused ones; ends with the last used one.
  private(set) var columns: [Field?] = []
  let separator: UInt8

  /// In each list the better name comes first: a table may contain the time twice.
  private static let names: [(field: Field, names: [String])] = [
    (
      .time,
      [
        "time", "timeiso", "isotime", "timestamp", "datetime", "timeutc", "utc", "utctime",
        "gpstime", "date", "ts", "tst", "unixtime", "epoch",
      ]
    ),
    (.latitude, ["lat", "latitude", "latitudedeg", "latdeg", "y"]),
    (.longitude, ["lon", "lng", "long", "longitude", "longitudedeg", "londeg", "x"]),
    (
      .altitude,
      ["ele", "alt", "altitude", "elevation", "elem", "altm", "altitudem", "elevationm", "altmsl"]
    ),
    (
      .accuracy,
      [
        "hacc", "accuracy", "acc", "horizontalaccuracy", "accuracym", "haccm", "accm", "eph",
        "horizontalaccuracym", "precision",
      ]
    ),
    (.hdop, ["hdop"]),
    (.speed, ["speed", "speedms", "speedmps", "velocity", "vel"]),
  ]

  /// - Throws: when there is no column for the time, the latitude or the longitude, or when a used
  ///   column occurs twice: it is unknown which of them is right.
  init(_ line: UnsafeBufferPointer<UInt8>, at number: Int) throws(TraceError) {
    guard !line.contains(0x0D) else {
      throw TraceError(
        line: number, "a carriage return without a line feed; save the file with Unix line ends")
    }
    separator = Self.separator(of: line[...])
    let found = Self.words(line[...], separator: separator)
    for (field, names) in Self.names {
      guard let column = names.lazy.compactMap({ found.firstIndex(of: $0) }).first else { continue }
      guard found.lastIndex(of: found[column]) == column else {
        throw TraceError(
          line: number, "there are two columns \"\(found[column])\"; rename or remove one")
      }
      while columns.count <= column { columns.append(nil) }
      columns[column] = field
    }
    for (field, name) in [(Field.time, "time"), (.latitude, "lat"), (.longitude, "lon")]
    where !columns.contains(field) {
      throw TraceError(
        line: number, "no column \"\(name)\"; a trace needs a header such as time,lat,lon,ele")
    }
  }

  /// Whether a first line could be the header of a trace.
  static func isLikely(_ line: ArraySlice<UInt8>) -> Bool {
    let found = words(line, separator: separator(of: line))
    return names.prefix(3).allSatisfy { $0.names.contains { found.contains($0) } }
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
    line.split(separator: separator, omittingEmptySubsequences: false).map { word in
      String(
        decoding: word.map(lowercased).filter {
          $0 &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10
        }, as: UTF8.self)
    }
  }
}
