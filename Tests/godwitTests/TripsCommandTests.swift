import Foundation
import Core
import TestSupport
import Testing

/// `godwit trips` and the exports on a simulated store.
@Suite struct TripsCommandTests {
  let scratch: ScratchFolder
  let store: String

  init() throws {
    scratch = try ScratchFolder()
    store = scratch.file("life.gpkg")
    let made = try Program.run("simulate", "--days", "2", "--store", store)
    #expect(made.exitCode == 0, "\(made.messages)")
  }

  private func trips(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["trips", "--store", store] + arguments)
  }

  @Test("there is one trip less than visits, in each form") func forms() throws {
    let visits = try Program.run("visits", "--json", "--store", store)
    let count = try #require(JSONValue(parsing: visits.output).array).count
    let json = try trips("--json")
    let all = try #require(JSONValue(parsing: json.output).array)
    #expect(json.exitCode == 0 && all.count == count - 1 && count > 3)
    for trip in all {
      let distance = try #require(trip["distance_m"]?.number)
      let uncertainty = try #require(trip["distance_uncertainty_m"]?.number)
      #expect(distance > 0 && uncertainty > 0 && uncertainty < distance + 200)
    }
    let csv = try trips("--csv").output.split(separator: "\n")
    #expect(csv.count == count && csv[0].hasPrefix("from,to,"))
    #expect(try trips().output.split(separator: "\n").count == count)
  }

  @Test("a range, and options that exclude each other") func options() throws {
    let none = try trips("--json", "--to", "2020-01-01")
    #expect(none.exitCode == 0 && none.output == "[]\n")
    let heading = try trips("--csv", "--from", "2030-01-01").output
    #expect(heading.split(separator: "\n").count == 1)
    #expect(try trips("--csv", "--json").exitCode == 2)
  }

  @Test("an empty store has no trips, and exports in every format") func empty() throws {
    let empty = scratch.file("empty.gpkg")
    _ = try Program.run("simulate", "--days", "1", "--store", empty)
    let sql = "DELETE FROM visits; DELETE FROM track_points; DELETE FROM destinations"
    #expect(try TestSupport.run("sqlite3", empty, sql).status == 0)
    #expect(try Program.run("trips", "--json", "--store", empty).output == "[]\n")
    for format in ["gpx", "geojson", "kml", "csv", "movebank", "owntracks"] {
      #expect(try Program.run("export", format, "--store", empty).exitCode == 0, "\(format)")
    }
  }

  @Test("GPX begins with the time and area of all of it; movebank accepts names")
  func exports() throws {
    let gpx = try Program.run("export", "gpx", "--store", store).output
    #expect(gpx.contains("<bounds minlat=\"53.") && gpx.contains("<trk><name>Track 2026-05-0"))
    let movebank = try Program.run(
      "export", "movebank", "--store", store, "--individual", "Lima", "--tag", "7"
    ).output.split(separator: "\n")
    #expect(movebank[0].hasPrefix("event-id,visible,timestamp,location-long,location-lat,"))
    #expect(movebank.count > 50 && movebank[1].hasSuffix(#","gps","7","Lima""#))
  }
}
