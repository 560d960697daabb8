import Core
import Places

/// Places from GeoJSON (RFC 7946): feature collections, single features and geometries, and
/// sequences of them (RFC 8142, or one per line).
///
/// The properties are those that `GeoJSONPlaceWriter` writes, and other programs' names for some of
/// them. Coordinates are in WGS 84, and a file that declares another system is refused.
struct GeoJSONPlaceReader: JSONPlaceReader {
  static let noun = "feature"

  private let defaults: PlaceFileDefaults
  var scanner = JSONItemScanner(lists: ["features"], limits: JSONExtent.placeLimits)
  private(set) var count = 0

  init(_ defaults: PlaceFileDefaults) { self.defaults = defaults }

  mutating func read(
    _ piece: JSONItemScanner.Piece, into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError) {
    switch piece {
    case .opening(let bytes):
      let text = try Self.whole(bytes, at: 0)
      guard case .object = text else {
        throw PlaceFileError("a list is not GeoJSON: put it into a FeatureCollection")
      }
      try Self.checkSystem(text)
    case .item(let extent, let start):
      add(JSONItem(extent, at: start), into: &entries)
    case .text(let extent, let start, let hasItems):
      try read(extent, at: start, hasItems: hasItems, into: &entries)
    case .cutText(let start):
      add(
        JSONItem(fault: "it is cut off where the next one begins", at: start), into: &entries)
    }
  }

  /// A text, whose features may have been read already.
  private mutating func read(
    _ extent: JSONExtent, at start: Int, hasItems: Bool, into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError) {
    let item = JSONItem(extent, at: start)
    guard case .value(let text) = item else {
      guard hasItems else { return add(item, into: &entries) }
      throw PlaceFileError("the members beside the features cannot be read: \(item.fault ?? "")")
    }
    try Self.checkSystem(text)
    guard text["features"] != nil else {
      if text["type"]?.string == "FeatureCollection" {
        throw PlaceFileError(
          "a FeatureCollection without features: check that the file is complete")
      }
      return add(item, into: &entries)
    }
    guard text["type"]?.string == "FeatureCollection" else {
      throw PlaceFileError("features in an object that is not a FeatureCollection: set that type")
    }
    // With escapes in its name the scanner did not recognize the list.
    guard let features = text["features"]?.array else {
      throw PlaceFileError("they are not a list: write []", at: "features")
    }
    for feature in features { add(.value(feature), into: &entries) }
  }

  private static func whole(_ bytes: [UInt8], at start: Int) throws(PlaceFileError) -> JSONValue {
    do { return try JSONValue(parsing: bytes) } catch {
      throw PlaceFileError("not JSON at byte \(start + error.offset): \(error.reason)")
    }
  }

  private mutating func add(
    _ item: JSONItem, into entries: inout [PlaceFileEntry]
  ) {
    count += 1
    entries.append(Self.draft(item).entry(Self.noun, count, defaults))
  }

  // MARK: One feature

  private static func draft(_ item: JSONItem) -> PlaceDraft {
    var draft = PlaceDraft()
    guard case .value(let value) = item else {
      draft.fault = PlaceError(.malformed, at: "", item.fault ?? "")
      return draft
    }
    let isFeature = value["type"]?.string == "Feature"
    if isFeature { read(value, into: &draft) }
    do throws(PlaceError) {
      guard case .object = value else {
        throw PlaceError(.malformed, at: "", "it is not a feature: write an object")
      }
      if let fault = CoordinateSystem.fault(ofGeoJSON: value) {
        throw PlaceError(.malformed, at: "crs", fault)
      }
      draft.shape = try PlaceShape(geoJSON: isFeature ? value["geometry"] : value)
    } catch { draft.fault = error }
    return draft
  }

  private static func read(_ feature: JSONValue, into draft: inout PlaceDraft) {
    draft.properties = PlaceProperties(feature["properties"])
    switch feature["id"] {
    case .string(let text)?:
      draft.id = PlaceID(text)
      if draft.id == nil { draft.foreignID = text }
    case .number?: draft.foreignID = feature["id"]?.text
    default: break
    }
  }

  private static func checkSystem(_ text: JSONValue) throws(PlaceFileError) {
    guard let fault = CoordinateSystem.fault(ofGeoJSON: text) else { return }
    throw PlaceFileError(fault, at: "crs")
  }
}
