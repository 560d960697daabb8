import Core

/// The coordinate systems declared in files: in another one than WGS 84 the positions would be
/// wrong.
enum CoordinateSystem {
  private static let longestName = 60

  /// Why the positions of an object cannot be used: GeoJSON allowed other systems until RFC 7946
  /// (section 4), and files still declare them, including the right one. Nil: they can.
  static func fault(ofGeoJSON value: JSONValue) -> String? {
    guard let system = value["crs"], system != .null else { return nil }
    let name = system["properties"]?["name"]?.string ?? system.string ?? "another system"
    let tail = name.uppercased().split { ":/".contains($0) }.suffix(1).joined()
    guard !["CRS84", "4326", "WGS84", "WGS 84"].contains(tail) else { return nil }
    return sentence(name) + "convert it with ogr2ogr -t_srs EPSG:4326"
  }

  /// The same for a datum alone.
  static func fault(ofDatum name: String) -> String? {
    guard name.uppercased().filter({ !" -".contains($0) }) != "WGS84" else { return nil }
    return sentence(name) + "convert it to WGS 84 first"
  }

  private static func sentence(_ name: String) -> String {
    let start = name.unicodeScalars.prefix(longestName)
    let isCut = start.endIndex != name.unicodeScalars.endIndex
    return "its coordinates are of \"\(TerminalText.line(String(start)))\(isCut ? "…" : "")\": "
  }
}
