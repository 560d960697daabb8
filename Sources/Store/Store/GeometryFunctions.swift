import CSQLite
import Core

/// The functions that triggers of a GeoPackage call (OGC 12-128r18, annex F.3): those of spatial
/// indexes, which other programs add to a layer, and those of `PlaceSchema`.
enum GeometryFunctions {
  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// Makes them available to statements of this connection.
  static func register(on handle: OpaquePointer) {
    let all: [(String, Function)] = [
      ("ST_IsEmpty", { GeometryFunctions.answerIsEmpty($0, $2) }),
      ("ST_MinX", { GeometryFunctions.answer($0, $2) { $0.west } }),
      ("ST_MaxX", { GeometryFunctions.answer($0, $2) { $0.east } }),
      ("ST_MinY", { GeometryFunctions.answer($0, $2) { $0.south } }),
      ("ST_MaxY", { GeometryFunctions.answer($0, $2) { $0.north } }),
    ]
    // Triggers may call only innocuous functions (sqlite.org/c3ref/c_deterministic.html).
    let traits = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    for (name, function) in all {
      sqlite3_create_function_v2(handle, name, 1, traits, nil, function, nil, nil, nil)
    }
  }

  private static func answer(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ side: (Sides) -> Double
  ) {
    guard let sides = sides(of: arguments?[0]) else { return sqlite3_result_null(context) }
    sqlite3_result_double(context, side(sides))
  }

  private static func answerIsEmpty(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard sqlite3_value_type(arguments?[0]) == SQLITE_BLOB else {
      return sqlite3_result_null(context)
    }
    sqlite3_result_int(context, sides(of: arguments?[0]) == nil ? 1 : 0)
  }

  private struct Sides {
    var west, south, east, north: Double
  }

  /// Nil for anything but a point or polygons on Earth, and for polygons without a corner.
  private static func sides(of value: OpaquePointer?) -> Sides? {
    let blob = UnsafeRawBufferPointer(
      start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
    let corners =
      PointGeometry.decode(blob).map { [$0] }
      ?? PolygonGeometry.decode(blob).map { Array($0.joined().joined()) } ?? []
    guard let first = corners.first else { return nil }
    var sides = Sides(
      west: first.longitude.value, south: first.latitude.value, east: first.longitude.value,
      north: first.latitude.value)
    for corner in corners {
      sides.west = min(sides.west, corner.longitude.value)
      sides.east = max(sides.east, corner.longitude.value)
      sides.south = min(sides.south, corner.latitude.value)
      sides.north = max(sides.north, corner.latitude.value)
    }
    return sides
  }
}
