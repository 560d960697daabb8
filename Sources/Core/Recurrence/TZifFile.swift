/// The data block of a TZif file (RFC 9636 section 3), the 64-bit one if present, and the footer.
/// Every field is checked against the length of the file before it is used.
struct TZifFile {
  /// In ascending order.
  private(set) var changes: [OffsetChange] = []
  /// Seconds east of UTC before the first change.
  private(set) var firstOffset = 0
  /// The rule after the last change; nil if the file has none.
  private(set) var footer: PosixTimeZone?

  /// The header's length.
  private static let headerSize = 44

  init(_ bytes: [UInt8]) throws(TimeZoneError) {
    let first = try Header(bytes, at: 0)
    guard first.version > 1 else {
      try read(bytes, first, at: Self.headerSize, timeSize: 4)
      return
    }
    let second = try Self.sum(Self.headerSize, first.size(timeSize: 4), within: bytes)
    let header = try Header(bytes, at: second)
    let data = second + Self.headerSize
    try read(bytes, header, at: data, timeSize: 8)
    footer = try Self.footer(bytes, at: Self.sum(data, header.size(timeSize: 8), within: bytes))
  }

  /// Section 3.1.
  private struct Header {
    let version: Int
    let utIndicators: Int
    let standardIndicators: Int
    let leapSeconds: Int
    let transitions: Int
    let types: Int
    let letters: Int

    init(_ bytes: [UInt8], at start: Int) throws(TimeZoneError) {
      guard bytes.dropFirst(start).starts(with: [0x54, 0x5A, 0x69, 0x66]) else { throw .notTZif }
      guard start + TZifFile.headerSize <= bytes.count else { throw .truncated }
      switch bytes[start + 4] {
      case 0: version = 1
      case let byte where (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(byte):
        version = Int(byte - 48)
      case let byte: throw .unknownVersion(byte)
      }
      let counts = (0..<6).map { TZifFile.integer(bytes, at: start + 20 + 4 * $0, size: 4) }
      // No count can exceed the file's size, so that no sum of sizes overflows.
      guard counts.allSatisfy({ (0...bytes.count).contains($0) }) else { throw .truncated }
      utIndicators = counts[0]
      standardIndicators = counts[1]
      leapSeconds = counts[2]
      transitions = counts[3]
      types = counts[4]
      letters = counts[5]
    }

    /// - Parameter timeSize: the bytes of a time, 4 or 8.
    func size(timeSize: Int) -> Int {
      transitions * (timeSize + 1) + types * 6 + letters + leapSeconds * (timeSize + 4)
        + standardIndicators + utIndicators
    }
  }

  /// Section 3.2.
  private mutating func read(
    _ bytes: [UInt8], _ header: Header, at start: Int, timeSize: Int
  ) throws(TimeZoneError) {
    _ = try Self.sum(start, header.size(timeSize: timeSize), within: bytes)
    guard header.leapSeconds == 0 else { throw .countsLeapSeconds }
    guard (1...256).contains(header.types), header.letters > 0,
      [0, header.types].contains(header.utIndicators),
      [0, header.types].contains(header.standardIndicators)
    else { throw .malformed(.counts) }
    let indices = start + header.transitions * timeSize
    let types = indices + header.transitions
    var offsets: [Int] = []
    for index in 0..<header.types {
      let type = types + 6 * index
      let offset = Self.integer(bytes, at: type, size: 4)
      guard OffsetChange.offsets.contains(offset) else { throw .offsetOutOfRange }
      guard bytes[type + 4] <= 1, Int(bytes[type + 5]) < header.letters else {
        throw .malformed(.localTimeTypes)
      }
      offsets.append(offset)
    }
    firstOffset = offsets[0]
    changes.reserveCapacity(header.transitions)
    for index in 0..<header.transitions {
      let time = Self.integer(bytes, at: start + index * timeSize, size: timeSize)
      let type = Int(bytes[indices + index])
      guard type < offsets.count else { throw .malformed(.transitionTypes) }
      guard changes.last.map({ $0.begin < time }) ?? true else {
        throw .malformed(.transitionTimes)
      }
      changes.append(OffsetChange(begin: time, offset: offsets[type]))
    }
  }

  /// Section 3.3: a POSIX TZ string, possibly empty, between two line feeds.
  private static func footer(
    _ bytes: [UInt8], at start: Int
  ) throws(TimeZoneError) -> PosixTimeZone? {
    let lineFeed = UInt8(ascii: "\n")
    guard start < bytes.count else { throw .truncated }
    guard bytes[start] == lineFeed, let end = bytes[(start + 1)...].firstIndex(of: lineFeed) else {
      throw .malformed(.footer)
    }
    let text = bytes[(start + 1)..<end]
    return text.isEmpty ? nil : try PosixTimeZone(parsing: text)
  }

  private static func sum(
    _ start: Int, _ length: Int, within bytes: [UInt8]
  ) throws(TimeZoneError) -> Int {
    guard start + length <= bytes.count else { throw .truncated }
    return start + length
  }

  /// Big-endian, in two's complement.
  /// - Parameter size: 4 or 8.
  private static func integer(_ bytes: [UInt8], at start: Int, size: Int) -> Int {
    let number = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int(Int32(truncatingIfNeeded: number)) : Int(Int64(bitPattern: number))
  }
}
