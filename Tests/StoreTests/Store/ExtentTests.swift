import Ports
import Core
import TestSupport
import Testing

@testable import Store

/// Bounding boxes after edits by other programs and after damage.
@Suite struct ExtentTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
    let store = try GeoPackageStore(path: path)
    try store.write([.trackPoint(point(at: 0, position(52, 5)))])
    try store.close()
  }

  private func box() throws -> [Double?] {
    let connection = try StoreReader.connection(path)
    let row = try connection.prepareOnce(
      "SELECT min_x, min_y, max_x, max_y FROM gpkg_contents WHERE table_name = 'track_points'")
    #expect(try row.step())
    return (0..<4).map { row.real($0) }
  }

  @Test(
    "an invalid box is rebuilt from the places",
    arguments: [
      "min_x = 10, max_x = 5", "min_y = 60, max_y = 50", "min_x = 170, max_x = -170",
      "min_x = 'west'", "max_x = ''", "min_y = -9e999", "max_x = 9e999", "min_x = NULL",
      "min_x = NULL, min_y = NULL, max_x = NULL, max_y = NULL", "max_x = 181", "min_y = -90.5",
      "min_x = x'00'", "min_x = 1e308, max_x = -1e308",
    ])
  func boxes(change: String) throws {
    let sql = "UPDATE gpkg_contents SET \(change) WHERE table_name = 'track_points'"
    #expect(try run("sqlite3", path, sql).status == 0)
    let store = try GeoPackageStore(path: path)
    try store.write([.trackPoint(point(at: 60, position(53.5, 6.5)))])
    try store.close()
    #expect(try box() == [5, 52, 6.5, 53.5])
    #expect(try StoreCheck(path: path).isSound)
  }

  @Test("a valid box is kept") func sound() throws {
    let sql = "UPDATE gpkg_contents SET min_x = -180, max_x = 180, min_y = -90, max_y = 90"
    #expect(try run("sqlite3", path, sql).status == 0)
    let store = try GeoPackageStore(path: path)
    try store.write([.trackPoint(point(at: 60, position(53.5, 6.5)))])
    try store.close()
    #expect(try box() == [-180, -90, 180, 90])
  }
}
