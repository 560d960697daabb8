/// The files that places are read from and written to.
public enum PlaceFileFormat: String, Sendable, CaseIterable {
  /// RFC 7946, also as a sequence (RFC 8142).
  case geojson
  /// Waypoints of OwnTracks (.otrw).
  case owntracks
  /// Waypoints of GPX 1.0 and 1.1.
  case gpx
  /// Placemarks of KML 2.2.
  case kml

  /// Recognises a file by its first bytes, a few thousand of them, and by its name only where they
  /// are ambiguous.
  /// - Returns: nil where it is none of these.
  /// - Throws: for a file that one of these can be made of.
  public static func detect(
    head: [UInt8], fileName: String? = nil
  ) throws(PlaceFileError) -> PlaceFileFormat? {
    if let refusal = refusal(of: head) { throw PlaceFileError(refusal) }
    return detect(content: head) ?? fileName.flatMap(named)
  }

  private static func refusal(of head: [UInt8]) -> String? {
    if TraceFormat.isPacked(head) {
      return "it is packed, as KMZ is: unzip it first, and give the .kml that is in it"
    }
    if head.starts(with: "SQLite format 3".utf8) {
      return "it is a database, as GeoPackage is: convert it with ogr2ogr places.geojson"
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
      // The first one: what comes later may be in a text.
      return words.compactMap { word, format in
        text.firstRange(of: word).map { (place: $0.lowerBound, format: format) }
      }.min { $0.place < $1.place }?.format
    default: return nil
    }
  }

  /// Which one a file's name ends as; nil: it tells none.
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
