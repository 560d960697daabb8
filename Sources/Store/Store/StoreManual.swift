import Core
import Records

/// The manual page godwit.gpkg(5), in mdoc, from the declarations of the kinds of records.
public enum StoreManual {
  /// - Parameter date: of the program's version, in the format of manuals: "May 1, 2026".
  public static func render(date: String) -> String {
    var lines = ManualText.head(
      "godwit.gpkg", section: 5, "store of the GNSS tracker Godwit", date: date)
    lines.append(".Sh DESCRIPTION")
    lines += ManualText.lines(
      "The store is one SQLite database and a GeoPackage 1.3 (OGC 12-128r18): QGIS, GDAL and the "
        + "SQLite shell open it. Times are text in UTC, such as 2026-05-04T07:12:02.000Z, which "
        + "sorts by time. Positions are in WGS 84 (EPSG:4326), in the binary "
        + "form of the GeoPackage. The name of a number ends in its unit. An empty column "
        + "(NULL) is unknown.")
    lines.append(".Pp")
    lines += ManualText.lines(
      "You may edit places with other programs, even while the daemon runs. Only read the other "
        + "tables: the daemon writes them. While it runs, a copy of the file alone is "
        + "incomplete; use godwit store backup.")
    lines.append(".Pp")
    lines += ManualText.lines(energies)
    lines.append(".Sh LAYERS AND TABLES")
    let tables = Record.schema.flatMap(\.kinds).map { $0.layout }
    for table in tables where table.geometryColumn != nil { lines += part(table) }
    for layer in Record.lineLayers { lines += part(layer) }
    for table in tables where table.geometryColumn == nil { lines += part(table) }
    lines += ownTables
    lines += [".Sh FILES", ".Bl -tag -width Ds", ".It Pa /var/lib/godwit/godwit.gpkg"]
    lines += ManualText.lines("Store, if the settings name no other.")
    lines += [
      ".El", ".Sh EXAMPLES", "Destinations, and the time that the board spent there, in hours:",
    ]
    lines.append(
      ".Dl sqlite3 godwit.gpkg \(quote)SELECT label, total_dwell_s / 3600 FROM destinations\(quote)"
    )
    lines += ["The track of one day, for a map:"]
    lines.append(".Dl ogr2ogr day.geojson godwit.gpkg track_lines \\e")
    lines.append(".Dl \\ \\ -where \(quote)start >= \(apostrophe)2026-05-04\(apostrophe)\(quote)")
    lines += [".Sh SEE ALSO", ".Xr godwit 1 ,", ".Xr ogrinfo 1 ,", ".Xr sqlite3 1 ,"]
    lines.append(".Xr godwit.toml 5")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Escapes for characters that mdoc would read as its quoting, or print as a curled one.
  private static let quote = "\\(dq"
  private static let apostrophe = "\\(aq"

  private static let energies =
    "Two tables contain energies, and their sums differ: gnss_sessions has the energy of the "
    + "receiver while it searched and tracked, from switching on to switching off; power_segments "
    + "covers all of its time, including off, asleep, and on without a demand. "
    + "Add up power_segments for the energy drawn from a battery."

  private static func part(_ table: TableLayout) -> [String] {
    let geometry = table.columns.first { $0.type.isGeometry }?.type
    let kind =
      switch geometry {
      case .point: "A layer of points."
      case .multiPolygon: "A layer of polygons."
      default: "A table."
      }
    var lines = head(table.name, "\(table.description). \(kind)")
    lines += item("id", "INTEGER", id(table.key))
    for column in table.columns {
      lines += item(column.name, column.type.rawValue, column.meaning) + words(column.words)
    }
    return lines + [".El"]
  }

  private static func id(_ key: TableLayout.Key) -> String {
    switch key {
    case .given: "A number that stays the same."
    case .counted: "A counter."
    case .time: "The time in microseconds since 1970; if that is in use, the next free number."
    }
  }

  private static func part(_ layer: LineLayer) -> [String] {
    let minutes = Int(LineLayer.maxGap.value / 60)
    var lines = head(
      layer.name,
      "\(layer.description). A layer of lines, a view of \(layer.points.name): each is the "
        + "straight line from one point to the next. Points that are more than \(minutes) minutes "
        + "apart are not joined, nor are those on both sides of the antimeridian.")
    lines += item("id", "INTEGER", "Id of the later point.")
    lines += item("geom", "LINESTRING", "The line.")
    for column in layer.columns {
      let type = layer.points.columns.first { $0.name == column.source }?.type.rawValue ?? ""
      lines += item(column.name, type, column.meaning)
    }
    return lines + [".El"]
  }

  /// The tables that do not contain the tracker's records.
  private static var ownTables: [String] {
    var lines = head("meta", "State of the daemon between runs. A table.")
    lines += item("id", "INTEGER", id(.counted))
    lines += item("key", "TEXT", "Name of the entry.") + words(MetaKey.meanings)
    lines += item("value", "TEXT", "Value of the entry.") + [".El"]
    lines += head("migrations", "Steps that created the schema. A table.")
    lines += item("id", "INTEGER", id(.counted))
    lines += item("name", "TEXT", "Name of the step.") + [".El"]
    lines.append(".Pp")
    return lines
      + ManualText.lines(
        "Tables with names that end in _types are empty; they define the column types of the line "
          + "layers. Tables with names that begin with \(PlaceSchema.index) are an R-tree of "
          + "the bounding boxes of places, to find nearby ones; its ids are twice those of "
          + "places, and twice those of place_areas plus one. Tables with names that begin with "
          + "gpkg_ belong to the standard. gpkg_contents has the time of the last change of each "
          + "table and layer, and the bounding box of the places, on a grid of 0.01 degrees.")
  }

  private static func head(_ name: String, _ text: String) -> [String] {
    [".Ss \(name)"] + ManualText.lines(text) + [".Bl -tag -width Ds"]
  }

  private static func item(_ name: String, _ type: String, _ text: String) -> [String] {
    let unit = ColumnUnit(ofColumn: name).map { " , in \($0.rawValue)" } ?? ""
    return [".It Va \(name) Pq \(type)\(unit)"] + ManualText.lines(text)
  }

  private static func words(_ words: [WordMeaning]) -> [String] {
    guard !words.isEmpty else { return [] }
    return [".Bl -tag -width Ds -compact"]
      + words.flatMap { [".It Sy \($0.word)"] + ManualText.lines($0.meaning) } + [".El"]
  }
}

/// The unit of a column, by the end of its name.
enum ColumnUnit: String {
  case metres, seconds, degrees, joules
  case metresPerSecond = "metres per second"
  case milliampereHours = "milliampere-hours"

  /// Nil if it has none.
  init?(ofColumn name: String) {
    // The longer suffix first.
    if name.hasSuffix("_m_s") {
      self = .metresPerSecond
    } else if name.hasSuffix("_m") {
      self = .metres
    } else if name.hasSuffix("_s") {
      self = .seconds
    } else if name.hasSuffix("_deg") {
      self = .degrees
    } else if name.hasSuffix("_J") {
      self = .joules
    } else if name.hasSuffix("_mAh") {
      self = .milliampereHours
    } else {
      return nil
    }
  }
}
