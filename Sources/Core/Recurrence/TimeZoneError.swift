/// Why the rules of a time zone cannot be read. The bytes and texts are untrusted input.
public enum TimeZoneError: Error, Hashable, Sendable {
  /// The file does not begin with "TZif".
  case notTZif
  /// A version that RFC 9636 does not define: the byte after "TZif".
  case unknownVersion(UInt8)
  /// More bytes than `TimeZoneRules.maximumFileSize`.
  case tooLong(bytes: Int)
  /// The file ends within its header or its data.
  case truncated
  /// The times count leap seconds, as the files in `right/` do; UTC here is POSIX time.
  case countsLeapSeconds
  /// A field of the data is out of its range.
  case malformed(Part)
  /// The POSIX TZ string is invalid from this byte on, counted from 0.
  case malformedRule(at: Int)
  /// An offset of more than 26 hours.
  case offsetOutOfRange

  /// A field of a TZif file, RFC 9636 section 3.2.
  public enum Part: String, Hashable, Sendable {
    case counts, transitionTimes, transitionTypes, localTimeTypes, footer
  }
}

extension TimeZoneError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notTZif: "is not a TZif file; use one of /usr/share/zoneinfo"
    case .unknownVersion(let byte): "has the unknown version byte \(byte); known are 1 to 4"
    case .tooLong(let bytes):
      "has \(bytes) bytes, but at most \(TimeZoneRules.maximumFileSize) are read"
    case .truncated: "ends too early; install the time zones again"
    case .countsLeapSeconds: "counts leap seconds; use the file that is not below right/"
    case .malformed(let part): "has malformed \(part.rawValue); install the time zones again"
    case .malformedRule(let place):
      "is not a POSIX TZ string from byte \(place) on; write such as CET-1CEST,M3.5.0,M10.5.0/3"
    case .offsetOutOfRange: "is more than 26 hours from UTC"
    }
  }
}
