import DatabaseStandIns
import Delivery
import Core
import Records
import TestSupport

/// The rows of a collection, whichever store keeps it, without its own serial numbers.
enum CollectionDump {
  private static let owner = ["device", "record", "stream", "sequence"]

  static func geoPackage(_ path: String) throws -> [String: [JSONValue]] {
    try dump { columns, table in
      let values = columns.map { column in
        column.type?.isGeometry == true ? "hex(substr(geom, 9))" : "\"\(column.name)\""
      }
      let result = try run(
        "sqlite3", path,
        "SELECT json_array(\(values.joined(separator: ", "))) FROM \(table)")
      return result.output.split(separator: "\n").map(String.init)
    }
  }

  static func database(_ name: String, on server: PostgresServer) throws -> [String: [JSONValue]] {
    try dump { columns, table in
      let values = columns.map { column in
        switch column.type {
        case .flag: "\"\(column.name)\"::int"
        case .time:
          "to_char(\"\(column.name)\" AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
        // An empty geometry is null in a GeoPackage's BLOB.
        case .point, .multiPolygon:
          "coalesce(upper(encode(ST_AsBinary(\"\(column.name)\", 'NDR'), 'hex')), '')"
        default: "\"\(column.name)\""
        }
      }
      return try server.sql(
        "SELECT json_build_array(\(values.joined(separator: ", "))) FROM godwit.\(table)",
        in: name)
    }
  }

  private typealias Column = (name: String, type: ColumnLayout.SQLType?)

  private static func dump(
    _ rows: ([Column], String) throws -> [String]
  ) throws -> [String: [JSONValue]] {
    var tables: [(String, [Column])] = CollectionEntry.layers.map { layer in
      (layer.name, (owner + ["other"]).map { ($0, nil) } + layer.columns.map { ($0.name, $0.type) })
    }
    tables.append(("streams", ["device", "stream", "through", "dropped"].map { ($0, nil) }))
    tables.append(("withdrawn_records", (["layer"] + owner).map { ($0, nil) }))
    tables.append(("other_records", (["layer"] + owner + ["other"]).map { ($0, nil) }))
    var dump: [String: [JSONValue]] = [:]
    for (table, columns) in tables {
      dump[table] = try rows(columns, table).map { try JSONValue(parsing: $0) }
        .sorted { $0.text < $1.text }
    }
    return dump
  }
}
