import Ports
import TestSupport
import Testing
import Tracking

@testable import Store

/// Numbers that only another program can have written.
@Suite struct WildNumberTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
    let store = try GeoPackageStore(path: path)
    try store.write([.visit(visit(7, from: 0, to: 600)), .session(session(5, at: 0))])
    try store.close()
  }

  @Test("ids at the end of the range have no successor", arguments: ["9223372036854775807", "-4"])
  func highestIdentifiers(id: String) throws {
    _ = try run(
      "sqlite3", path,
      """
      INSERT INTO visits SELECT \(id), geom, arrival, arrival_earliest, arrival_latest, departure,
        departure_earliest, departure_latest, accuracy_m, confidence, locations, destination_id
        FROM visits;
      """)
    let last = try GeoPackageStore(path: path).lastIdentifiers()
    #expect(last == StoreIdentifiers(visit: 7, destination: 0, session: 5))
    let tracker = Tracker(settings: TrackerSettings(), lastVisitID: last.visit)
    #expect(tracker.openVisit == nil)
  }

  @Test("counts that would overflow are damage, and the row is named")
  func counts() throws {
    _ = try run("sqlite3", path, "UPDATE visits SET locations = 9223372036854775807")
    let error = thrown(PortError.self) {
      var cursor = try StoreReader(path: path).visits()
      _ = try cursor.next()
    }
    guard case .corrupt(let text)? = error else { return #expect(Bool(false)) }
    #expect(text.contains("visits, id 7, column locations"))
  }
}
