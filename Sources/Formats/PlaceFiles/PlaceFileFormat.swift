/// The file formats of places, for reading and writing.
public enum PlaceFileFormat: String, Sendable, CaseIterable {
  /// RFC 7946, also as a sequence (RFC 8142).
  case geojson
  /// Waypoints of OwnTracks (.otrw).
  case owntracks
  /// Waypoints of GPX 1.0 and 1.1.
  case gpx
  /// Placemarks of KML 2.2.
  case kml

  /// Recognizes a file by its first bytes, a few thousand of them, and by its name only if they are
  /// ambiguous.
  /// - Returns: nil if it is none of these.
  /// - Throws: for a file that can be converted to one of these.
  public static func detect(
    head: [UInt8], fileName: String? = nil
  ) throws(PlaceFileError) -> PlaceFileFormat? {
    if let refusal = refusal(of: head) { throw PlaceFileError(refusal) }
    return detect(content: head) ?? fileName.flatMap(named)
  }

  private static func refusal(of head: [UInt8]) -> String? {
    if TraceFormat.isPacked(head) {
      return "it is packed, like KMZ: unzip it first, and use the .kml file in it"
    }
    if head.starts(with: "SQLite format 3".utf8) {
      return "it is a database, like GeoPackage: convert it with ogr2ogr places.geojson"
    }
    return TraceFormat.causeOfNoText(head)
  }

  private static func detect(content: [UInt8]) -> PlaceFileFormat? {
    let text = String(decoding: content, as: UTF8.self)
    switch content.first(where: { $0 > 0x20 && $0 < 0x7F }) {
    case UInt8(ascii: "<"):
      if text.contains("<gpx") || text.contains(":gpx") { return .gpx }
      return text.contains("<kml") || text.contains(":kml") ? .kml : nil
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let words: [(String, PlaceFileFormat)] = [
        ("\"_type\"", .owntracks), ("\"Feature", .geojson), ("\"features\"", .geojson),
        ("\"coordinates\"", .geojson),
      ]
      // The first one: later ones may be in a text.
      return words.compactMap { word, format in
        text.firstRange(of: word).map { (place: $0.lowerBound, format: format) }
      }.min { $0.place < $1.place }?.format
    default: return nil
    }
  }

  /// The format by the suffix of a file's name; nil: unknown.
  public static func named(_ fileName: String) -> PlaceFileFormat? {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "geojson", "geojsons", "geojsonl", "geojsonseq", "json", "jsonl", "ndjson": .geojson
    case "otrw", "otrc": .owntracks
    case "gpx": .gpx
    case "kml": .kml
    default: nil
    }
  }

  public func reader(_ defaults: PlaceFileDefaults) -> any PlaceReader {
    switch self {
    case .geojson: GeoJSONPlaceReader(defaults)
    case .owntracks: OwnTracksPlaceReader(defaults)
    case .gpx: GPXPlaceReader(defaults)
    case .kml: KMLPlaceReader(defaults)
    }
  }

  public func writer() -> any PlaceWriter {
    switch self {
    case .geojson: GeoJSONPlaceWriter()
    case .owntracks: OwnTracksPlaceWriter()
    case .gpx: GPXPlaceWriter()
    case .kml: KMLPlaceWriter()
    }
  }
}
