/// The formats of a recording.
public enum TraceFormat: String, Sendable, CaseIterable {
  /// Text with a header line that names time, latitude and longitude.
  case csv
  /// GPX 1.0 or 1.1.
  case gpx
  /// Garmin's training history.
  case tcx
  /// The PLT format of GeoLife and OziExplorer.
  case plt
  /// Positions in JSON: from OwnTracks, Google, Overland, or GeoJSON with times.
  case json
  /// The output of a receiver: NMEA 0183, UBX, or both mixed.
  case receiver
  /// gpsd's reports, one JSON object per line.
  case gpsd

  /// Recognizes a recording by its first bytes, and by its name only if they are ambiguous. Nil if
  /// it is not recognized.
  public static func detect(head: [UInt8], fileName: String? = nil) -> TraceFormat? {
    detect(content: head) ?? fileName.flatMap(detect(name:))
  }

  /// Why a file with such first bytes has none of these formats, and what to do; nil: it may have
  /// one.
  public static func causeOfNoText(_ head: [UInt8]) -> String? {
    if isUTF16(head) { return "it is UTF-16 text; save it as UTF-8" }
    if head.starts(with: [0x1F, 0x8B]) { return "it is packed: unpack it with gunzip first" }
    if isPacked(head) {
      return "it is packed: unzip it first, and use the file in it"
    }
    return nil
  }

  /// Whether it is a ZIP file.
  static func isPacked(_ head: [UInt8]) -> Bool { head.starts(with: "PK\u{3}\u{4}".utf8) }

  /// Whether it is text with two bytes per character, as saved by some editors of Windows.
  public static func isUTF16(_ head: [UInt8]) -> Bool {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
    let sample = head.prefix(64)
    guard sample.count >= 8 else { return false }
    let pairs = stride(from: 0, to: sample.count - 1, by: 2).map { (sample[$0], sample[$0 + 1]) }
    return pairs.allSatisfy { $0.0 == 0 && $0.1 >= 9 && $0.1 < 0x7F }
      || pairs.allSatisfy { $0.1 == 0 && $0.0 >= 9 && $0.0 < 0x7F }
  }

  private static func detect(content: [UInt8]) -> TraceFormat? {
    var rest = content[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    // gpsd's own logs begin with comments.
    while true {
      rest = rest.drop { $0 <= 0x20 }
      guard rest.first == UInt8(ascii: "#") else { break }
      rest = rest.drop { $0 != 0x0A }
    }
    switch rest.first {
    case nil: return nil
    case UInt8(ascii: "<"):
      if contains(rest, "<TrainingCenterDatabase") { return .tcx }
      return contains(rest, "<gpx") ? .gpx : nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): return formOfJSON(rest)
    case UInt8(ascii: "$"), UInt8(ascii: "!"): return .receiver
    default: break
    }
    if starts(rest, with: "geolife") || starts(rest, with: "oziexplorer") { return .plt }
    // OwnTracks' Recorder writes a time before each object.
    if rest.first.map({ $0 &- UInt8(ascii: "0") <= 9 }) == true, contains(rest, "\t{"),
      contains(rest, "\"_type\"")
    {
      return .json
    }
    if CSVHeader.namesSeparator(rest.prefix { $0 > 0x20 }) {
      rest = rest.drop { $0 != 0x0A }.dropFirst()
    }
    if CSVHeader.isLikely(rest.prefix { $0 != 0x0A && $0 != 0x0D }) { return .csv }
    return looksLikeReceiver(rest) ? .receiver : nil
  }

  private static let mostOfHead = 65_536

  /// Each object of gpsd begins with its class; others may have such a property.
  private static func formOfJSON(_ bytes: ArraySlice<UInt8>) -> TraceFormat? {
    let first = bytes.dropFirst().drop { $0 <= 0x20 }
    if starts(first, with: "\"class\"") { return .gpsd }
    if looksLikePositions(bytes) { return .json }
    return bytes.first == UInt8(ascii: "{") && contains(bytes, "\"class\"") ? .gpsd : nil
  }

  private static func looksLikePositions(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = bytes.prefix(mostOfHead)
    return JSONTraceReader.marks.contains { words in words.allSatisfy { contains(head, $0) } }
  }

  /// A receiver's log may begin in the middle of a sentence or with binary messages.
  private static func looksLikeReceiver(_ bytes: ArraySlice<UInt8>) -> Bool {
    if contains(bytes, "$G") || contains(bytes, "$P") || contains(bytes, "$B") { return true }
    return zip(bytes, bytes.dropFirst()).contains { $0 == 0xB5 && $1 == 0x62 }
  }

  private static func detect(name: String) -> TraceFormat? {
    let suffix = name.split(separator: ".").last.map { $0.lowercased() }
    switch suffix {
    case "csv", "tsv": return .csv
    case "gpx": return .gpx
    case "tcx": return .tcx
    case "plt": return .plt
    case "nmea", "nma", "ubx", "log", "txt": return .receiver
    case "json", "jsonl", "ndjson", "geojson", "rec": return .json
    default: return nil
    }
  }

  private static func starts(_ bytes: ArraySlice<UInt8>, with word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      bytes.count >= word.count && zip(bytes, word).allSatisfy { lowercased($0) == $1 }
    }
  }

  private static func contains(_ bytes: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      bytes.indices.contains { index in
        bytes.endIndex - index >= word.count
          && zip(bytes[index...], word).allSatisfy { $0 == $1 }
      }
    }
  }
}

/// The lower-case form of an ASCII letter; any other byte unchanged.
func lowercased(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
