import Foundation
import Core
import Records
import Store
import TestSupport
import Testing

/// The commands that read a store, run as programs on a store of three points and two visits.
@Suite struct StoreCommandTests {
  let scratch: ScratchFolder
  let path: String

  init() throws {
    scratch = try ScratchFolder()
    path = scratch.file("track.gpkg")
    let start = UTCInstant(seconds: 1_777_593_600)
    let position = Coordinate(latitude: 52.1, longitude: 5.2)
    let store = try GeoPackageStore(path: path)
    var records = (0..<3).map {
      Record.trackPoint(
        TrackPoint(
          location: Location(
            time: start + Seconds(Double($0) * 60), position: position, accuracy: 4.5),
          reason: .scheduled, session: 7))
    }
    records.append(
      .destination(
        Destination(id: 3, position: position, radius: 20, visits: 1, totalDwell: 7500)))
    var visit = Visit(
      id: 1, arrival: TimeEstimate(exactly: start), departure: TimeEstimate(exactly: start + 7500),
      position: position, accuracy: 3, confidence: 0.875, locations: 9, destination: 3)
    records.append(.visit(visit))
    visit.id = 2
    visit.arrival = TimeEstimate(exactly: start + 10_000)
    visit.departure = nil
    visit.destination = nil
    try store.write(records + [.visit(visit)])
    try store.close()
  }

  private func json(_ arguments: String...) throws -> [JSONValue] {
    let outcome = try Program.run(arguments + ["--store", path, "--json"])
    #expect(outcome.exitCode == 0 && outcome.messages.isEmpty)
    return try #require(try JSONValue(parsing: outcome.output).array)
  }

  @Test("a misspelt setting is reported beside --store, too") func misspeltSetting() throws {
    let outcome = try Program.run(["visits", "--store", path, "--set", "policy.nme=hybrid"])
    #expect(outcome.exitCode == 2 && outcome.messages.contains("did you mean policy.name?"))
  }

  @Test("visits are printed as JSON") func visitsForPrograms() throws {
    let visits = try json("visits")
    #expect(visits.count == 2)
    for key in [
      "arrival", "arrival_earliest", "arrival_latest", "departure", "departure_earliest",
      "departure_latest", "lat", "lon", "accuracy_m", "confidence", "destination_id",
    ] { #expect(visits.allSatisfy { $0[key] != nil }, "\(key)") }
    #expect(visits[0]["departure"]?.string == "2026-05-01T02:05:00.000Z")
    #expect(visits[0]["confidence"]?.number == 0.875)
    #expect(visits[1]["departure"] == .null)
    #expect(try json("visits", "--from", "2026-05-01T02:10:00Z").count == 1)
    #expect(try json("visits", "--to", "2026-05-01T01:00:00Z").count == 1)
  }

  @Test("the track is printed as JSON") func trackForPrograms() throws {
    let points = try json("track", "--from", "2026-05-01T00:01:00Z")
    #expect(
      points.map { $0["time"]?.string } == [
        "2026-05-01T00:01:00.000Z", "2026-05-01T00:02:00.000Z",
      ])
    #expect(points[0]["accuracy_m"]?.number == 4.5)
  }

  @Test("the columns of a table are aligned") func tablesAreAligned() throws {
    for command in ["visits", "track", "destinations"] {
      let outcome = try Program.run(command, "--store", path)
      let lines = outcome.output.split(separator: "\n")
      let column = try #require(lines.first?.range(of: "LONGITUDE")?.upperBound)
      let end = lines[0].distance(from: lines[0].startIndex, to: column)
      #expect(lines.count > 1)
      for line in lines.dropFirst() { #expect(line.prefix(end).hasSuffix("5.200000")) }
    }
  }

  @Test("a destination gets its label") func aPlaceGetsItsName() throws {
    let outcome = try Program.run("destinations", "label", "3", "Grandmother's", "--store", path)
    #expect(outcome.exitCode == 0)
    #expect(try json("destinations").map { $0["label"]?.string } == ["Grandmother's"])
    #expect(try Program.run("visits", "--store", path).output.contains("Grandmother's"))
    let unknown = try Program.run("destinations", "label", "4", "x", "--store", path)
    #expect(unknown.exitCode == 1 && unknown.messages.contains("no destination 4"))
  }

  @Test(
    "a name must be one line",
    arguments: ["two\nlines", "\u{1B}[31mred", String(repeating: "x", count: 101)])
  func aNameIsOneLine(name: String) throws {
    let refused = try Program.run("destinations", "label", "3", name, "--store", path)
    #expect(refused.exitCode == 2 && refused.messages.hasPrefix("godwit: a name must be one line"))
    // Another program may have written it.
    let store = try GeoPackageStore(path: path)
    #expect(try store.setLabel(name, destination: 3))
    try store.close()
    let listed = try Program.run("destinations", "--store", path).output
    #expect(listed.split(separator: "\n").count == 2 && !listed.contains("\u{1B}"))
  }

  @Test(
    "exports are complete and the same each time",
    arguments: ["gpx", "geojson", "kml", "csv", "owntracks"])
  func exportsAreWrittenWholeAndTheSameEachTime(format: String) throws {
    let target = scratch.file("out")
    let printed = try Program.run("export", format, "--store", path)
    for _ in 0..<2 {
      let outcome = try Program.run("export", format, "--store", path, "--output", target)
      #expect(outcome.exitCode == 0 && outcome.output.isEmpty)
      #expect(try scratch.text("out") == printed.output)
    }
    #expect(printed.output.contains("52.1000000"))
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(names.filter { $0.hasPrefix("out.") }.isEmpty)
  }

  @Test("only a store is suggested at a new store's path") func newStore() throws {
    let other = scratch.file("other.db")
    _ = try TestSupport.run("sqlite3", other, "CREATE TABLE bookmarks (url TEXT)")
    try scratch.write("time,lat,lon\n", to: "track.csv")
    for (place, words) in [
      (path, "exists already; remove it or name another file with --store"),
      (scratch.path, "is a folder; name a file with --store"),
      (other, "is a file of another program, not a Godwit store"),
      (scratch.file("track.csv"), "exists already; name another file with --store"),
    ] {
      let outcome = try Program.run("simulate", "--days", "1", "--store", place)
      #expect(outcome.exitCode == 2)
      #expect(outcome.messages.contains("\(place) \(words)"), "\(outcome.messages)")
    }
  }

  @Test("a gap names the destination where the board was last") func gaps() throws {
    let gap = try #require(try json("visits", "--gaps").first)
    #expect(gap["destination_id"]?.integer == 3)
    let listed = try Program.run("visits", "--gaps", "--store", path).output
    #expect(listed.split(separator: "\n").first?.hasSuffix("  LAST AT") == true, "\(listed)")
  }

  @Test("a failed export keeps the existing file") func aFailedExportKeepsWhatWasThere() throws {
    let outcome = try Program.run(
      "export", "gpx", "--store", path, "--output", scratch.file("none/x.gpx"))
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.hasPrefix("godwit: cannot write \(scratch.file("none/x.gpx"))"))
  }

  @Test("no export replaces a store, whoever owns it") func noExportReplacesAStore() throws {
    let other = scratch.file("other.gpkg")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    let before = try Data(contentsOf: URL(fileURLWithPath: other))
    let outcome = try Program.run("export", "gpx", "--store", path, "--output", other)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("cannot write \(other): it is a database"))
    for suffix in ["-wal", "-journal", "-shm"] {
      let beside = try Program.run("export", "gpx", "--store", path, "--output", other + suffix)
      #expect(beside.exitCode == 1)
      #expect(beside.messages.contains("it belongs to the database \(other)"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)
  }

  /// Only a regular file may be replaced by a file: root could lose /dev/full otherwise.
  @Test("an export into a pipe or device is written through")
  func anExportIntoWhatIsNoFileGoesThroughIt() throws {
    let link = scratch.file("link.csv")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: scratch.file("real.csv"))
    try "old".write(toFile: scratch.file("real.csv"), atomically: false, encoding: .utf8)
    #expect(try Program.run("export", "csv", "--store", path, "--output", link).exitCode == 0)
    #expect(try scratch.text("real.csv").hasPrefix("time,lat,lon"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("real.csv"))
    let printed = try Program.run("export", "csv", "--store", path, "--output", "/dev/stdout")
    let written = try scratch.text("real.csv")
    #expect(printed.output == written)
    let folder = scratch.path
    let refused = try Program.run("export", "csv", "--store", path, "--output", folder)
    #expect(refused.exitCode == 1 && refused.messages.contains("Is a directory"))
  }

  /// The shell's `>&-` and a full disk: nothing is lost silently, and nothing is written into a
  /// file that happened to get the output's descriptor.
  @Test(
    "output that cannot be written is a failure",
    arguments: [
      "config default", "config show", "--help", "--generate-completion-script bash",
      "visits --store $0", "export gpx --store $0", "simulate --json --store $0.new",
    ])
  func outputThatCannotBeWrittenIsAFailure(command: String) throws {
    for target in ["/dev/full", "&-"] {
      let outcome = try Program.shell("\(command) >\(target)", path)
      #expect(outcome.exitCode == 1, "\(target)")
      #expect(outcome.messages.hasPrefix("godwit: cannot write standard output: "))
      try? FileManager.default.removeItem(atPath: path + ".new")
    }
  }

  @Test("wrong usage is refused") func faultsOfUse() throws {
    let missing = try Program.run("track", "--store", scratch.file("none.gpkg"))
    #expect(missing.exitCode == 1 && missing.messages.hasPrefix("godwit: there is no store"))
    #expect(try Program.run("export", "shapefile", "--store", path).exitCode == 2)
    #expect(try Program.run("visits", "--from", "yesterday", "--store", path).exitCode == 2)
    let turned = try Program.run(
      "visits", "--from", "2026-05-02", "--to", "2026-05-01", "--store", path)
    #expect(turned.exitCode == 2 && turned.messages.contains("--from must be before --to"))
  }
}
