import Foundation
import Core
import Store
import TestSupport
import Testing

@testable import godwit

/// `simulate` and `replay` as programs: the keys that other programs use, and equal repeated runs.
@Suite struct SimulateCommandTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func json(_ arguments: [String]) throws -> JSONValue {
    let outcome = try Program.run(arguments)
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    return try JSONValue(parsing: outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private func export(_ format: String, _ store: String) throws -> String {
    let outcome = try Program.run(["export", format, "--store", store])
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    #expect(outcome.output.count > 300)
    return outcome.output
  }

  @Test(
    "the same seed gives the same run",
    arguments: ["adaptive", "hybrid", "periodic", "continuous"])
  func theSameSeedGivesTheSameRun(policy: String) throws {
    func run(_ name: String, seed: String) throws -> (JSONValue, [String]) {
      let store = scratch.file(name)
      let summary = try json([
        "simulate", "--policy", policy, "--seed", seed, "--coarse", "--store", store, "--json",
      ])
      return (summary, try ["gpx", "geojson", "csv"].map { try export($0, store) })
    }
    let first = try run("a.gpkg", seed: "7")
    let second = try run("b.gpkg", seed: "7")
    let other = try run("c.gpkg", seed: "8")
    #expect(first == second)
    #expect(first.1 != other.1)
    for key in [
      "policy", "duration_s", "gnss_on_s", "gnss_energy_J", "gnss_charge_mAh", "fixes_accepted",
      "fixes_rejected", "sessions", "visits",
    ] { #expect(first.0[key] != nil, "\(key) is missing") }
    #expect(first.0["policy"]?.string == policy)
    #expect(first.0["duration_s"]?.number == 86_400)
  }

  @Test("a simulated store records its origin, and is never treated as a measured one")
  func provenance() throws {
    let store = scratch.file("a.gpkg")
    let arguments = ["simulate", "--seed", "9", "--set", "gnss.tracking_mA=33", "--store", store]
    let printed = try json(arguments + ["--json"])
    let text = try #require(try StoreReader(path: store).provenance())
    let stored = try JSONValue(parsing: text)
    #expect(stored == printed["provenance"])
    let version = try Program.version()
    #expect(stored["version"]?.string == version)
    #expect(stored["kind"]?.string == "simulated" && stored["policy"]?.string == "adaptive")
    #expect(stored["seed"]?.integer == 9 && stored["life"]?.string == "city-resident")
    #expect(stored["settings"]?["gnss.tracking_mA"]?.number == 33)
    #expect(stored["power_switch"]?.string == "virtual")
    #expect(
      stored["command"]?.array?.compactMap(\.string)
        == ["simulate", "--seed", "9", "--set", "gnss.tracking_mA=33", "--json"])
    #expect(printed["gnss_energy_basis"]?.string == "simulated")
    let off = printed["states"]?["off"]
    #expect(off?["basis"]?.string == "simulated" && off?["below_floor"]?.bool == true)
    #expect(off?["energy_uncertainty_J"]?.number ?? 0 > off?["energy_J"]?.number ?? 1)
    let bases = try export("csv", store)
    #expect(!bases.contains("measured"))
    let table = try Program.run(Array(arguments.dropLast()) + [scratch.file("b.gpkg")]).output
    #expect(table.contains("simulated, below floor") && table.contains(" ± "))
    #expect(table.contains("standard uncertainty (k = 1)"))
  }

  @Test("a URL that may contain a key is not written into the store") func secret() throws {
    let store = scratch.file("secret.gpkg")
    let printed = try Program.run([
      "simulate", "--set", "lookup.url=https://me:SECRET@example.org/?key=SECRET", "--store", store,
      "--json",
    ])
    #expect(!printed.output.contains("SECRET"))
    let text = try #require(try StoreReader(path: store).provenance())
    #expect(!text.contains("SECRET") && text.contains("(not told)"))
  }

  @Test("every destination counts the visits that refer to it", arguments: ["hybrid", "adaptive"])
  func destinationsCount(policy: String) throws {
    let store = scratch.file("counts.gpkg")
    _ = try json([
      "simulate", "--life", "commuter", "--days", "21", "--sources", "all", "--policy", policy,
      "--store", store, "--json",
    ])
    let wrong = """
      SELECT id, visit_count FROM destinations AS d WHERE visit_count <>
        (SELECT count(*) FROM visits WHERE destination_id = d.id)
      """
    let found = try run("sqlite3", "-readonly", store, wrong)
    #expect(found.status == 0 && found.output.isEmpty, "\(found.output)")
  }

  @Test("a replayed store names the recording by its hash") func recordingsHash() throws {
    let trace = scratch.file("t.csv")
    let rows = "time,lat,lon\n2026-05-01T12:00:00Z,47,15\n2026-05-01T12:00:01Z,47,15\n"
    try Data(rows.utf8).write(to: URL(fileURLWithPath: trace))
    for command in ["replay", "simulate"] {
      let summary = try json(
        [command, trace, "--store", scratch.file("\(command).gpkg"), "--json"])
      let found = summary["provenance"]?["trace"]
      #expect(found?["path"]?.string == trace && found?["format"]?.string == "csv")
      #expect(found?["bytes"]?.integer == rows.utf8.count)
      var hash = SHA256()
      hash.update(Array(rows.utf8))
      #expect(found?["sha256"]?.string == hash.digest)
    }
  }

  @Test("a receiver without a switch costs what it draws, and is read")
  func anUnswitchedReceiverCostsWhatItDraws() throws {
    func run(_ settings: [String]) throws -> JSONValue {
      try json(
        ["simulate", "--store", scratch.file("\(settings.joined()).gpkg"), "--json"]
          + settings.flatMap { ["--set", $0] })
    }
    let unset = try run([])
    #expect(unset["power_switch"]?.string == "virtual")
    #expect(unset["power_switch_origin"]?.string == "built-in default")
    let bare = try run(["power_switch.kind=none"])
    #expect(bare["power_switch"]?.string == "none")
    #expect(bare["gnss_on_share"]?.number == 1)
    // 29 mA at 3.3 V for a day, when it tracks the whole day.
    #expect((8000...9500).contains(bare["gnss_energy_J"]?.number ?? 0))
    #expect((bare["fixes_accepted"]?.number ?? 0) > 30_000)
    #expect((bare["visits"]?.number ?? 0) >= (unset["visits"]?.number ?? .infinity) - 1)
    for kind in ["gpio", "command", "gnss"] {
      let set = try run(
        ["power_switch.kind=\(kind)", "power_switch.supply=EN", "receiver.family=ubloxM8"]
          + (kind == "gnss" ? ["receiver.kind=gnss"] : []))
      #expect(set["power_switch"]?.string == kind)
      #expect((set["gnss_energy_J"]?.number ?? .infinity) < 600, "\(kind)")
    }
    let deaf = try run(["power_switch.kind=command"])
    #expect(deaf["gnss_on_share"]?.number == 1)
  }

  @Test("the summary names the switch of the receiver") func theSummarySaysWhatSwitched() throws {
    let unset = try Program.run(["simulate", "--store", scratch.file("a.gpkg")])
    #expect(unset.output.contains("power switch: an ideal one"))
    let bare = try Program.run(
      ["simulate", "--store", scratch.file("b.gpkg"), "--set", "power_switch.kind=none"])
    #expect(bare.output.contains("power switch: none, as set"))
    #expect(bare.output.contains("it is always on"))
  }

  /// Without a backup supply every cut erases the navigation data; sleep does not, in either
  /// protocol.
  @Test(
    "without a backup supply, sleeping by command costs less than cutting",
    arguments: ["mediatek", "ubloxM8"])
  func theVirtualReceiverSleepsByCommand(family: String) throws {
    func run(_ command: String) throws -> Double {
      let settings = [
        "power_switch.kind=virtual", "power_switch.backup_supply=false",
        "power_switch.sleep_command=\(command)", "receiver.family=\(family)",
      ]
      let summary = try json(
        ["simulate", "--coarse", "--store", scratch.file("\(command).gpkg"), "--json"]
          + settings.flatMap { ["--set", $0] })
      return try #require(summary["gnss_energy_J"]?.number)
    }
    let asleep = try run("auto")
    let cut = try run("none")
    #expect(asleep < cut * 0.9, "asleep \(asleep) J, cut \(cut) J")
  }

  @Test("hybrid records the day with a fraction of the energy")
  func hybridSeesTheDayWithAFractionOfTheEnergy() throws {
    func run(_ policy: String) throws -> JSONValue {
      try json([
        "simulate", "--policy", policy, "--coarse", "--days", "2", "--store",
        scratch.file("\(policy).gpkg"), "--json",
      ])
    }
    let hybrid = try run("hybrid")
    let continuous = try run("continuous")
    let share =
      try #require(hybrid["gnss_energy_J"]?.number)
      / #require(continuous["gnss_energy_J"]?.number)
    #expect(share < 0.06, "hybrid took \(share) of the energy")
    let visits = try #require(hybrid["visits"]?.integer)
    let all = try #require(continuous["visits"]?.integer)
    #expect(abs(visits - all) <= 2, "\(visits) visits against \(all)")
  }

  @Test("sources have their own energy; --coarse stands for two of them")
  func sourcesCostEnergy() throws {
    func run(_ name: String, _ options: [String]) throws -> (JSONValue, String) {
      let store = scratch.file("\(name).gpkg")
      let summary = try json(["simulate", "--store", store, "--json"] + options)
      return (summary.without("provenance"), try export("csv", store))
    }
    let none = try run("none", ["--sources", "none"])
    #expect(none.0["sources_energy_J"]?.number == 0)
    #expect(try none == run("default", []))
    let coarse = try run("coarse", ["--coarse"])
    #expect(try coarse == run("both", ["--sources", "cell,network"]))
    #expect(try #require(coarse.0["sources_energy_J"]?.number) > 0)
    // 4 µA at 3.3 V for a day.
    let motion = try run("motion", ["--sources", "motion"])
    #expect(motion.0["sources_energy_J"]?.number == 1.14)
    let text = try Program.run([
      "simulate", "--sources", "all", "--store", scratch.file("text.gpkg"),
    ]).output
    #expect(text.contains("\nother sources: "))
  }

  @Test("a life reports its stays, but not into the store's own file")
  func trueStaysAreWritten() throws {
    let stays = scratch.file("stays.json")
    let run = ["simulate", "--life", "night-nurse", "--days", "3", "--policy", "continuous"]
    let summary = try json(
      run + ["--truth-stays", stays, "--store", scratch.file("life.gpkg"), "--json"])
    #expect(summary["duration_s"]?.number == 259_200)
    let text = try String(contentsOfFile: stays, encoding: .utf8)
    let found = try #require(
      try JSONValue(parsing: text.trimmingCharacters(in: .whitespacesAndNewlines)).array)
    #expect((4...9).contains(found.count))
    for (stay, next) in zip(found, found.dropFirst()) {
      let departure = try #require(stay["departure"]?.string.flatMap { ISO8601.parse($0) })
      let arrival = try #require(next["arrival"]?.string.flatMap { ISO8601.parse($0) })
      #expect(departure < arrival)
    }
    for key in ["lat", "lon"] { #expect(found.first?[key]?.number != nil) }
    let store = scratch.file("refused.gpkg")
    let refused = try Program.run(run + ["--truth-stays", store, "--store", store])
    #expect(refused.exitCode == 2)
    #expect(refused.messages.contains("--truth-stays"))
  }

  /// A recording in another program's format is replayed twice, byte for byte the same.
  @Test("a replay gives the same exports each time") func aReplayIsReproducible() throws {
    let trace = scratch.file("walk.csv")
    var text = "time,lat,lon,ele,hacc,speed\n"
    for second in 0..<3600 {
      let north = 52 + Double(min(max(0, second - 900), 1800)) * 1.2e-5
      let time = String(
        format: "2026-05-01T%02d:%02d:%02dZ", second / 3600, second / 60 % 60, second % 60)
      text += "\(time),\(north),5.1,12.5,4.2,\(second < 900 || second > 2700 ? 0 : 1.3)\n"
    }
    try text.write(toFile: trace, atomically: true, encoding: .utf8)
    var exports: [[String]] = []
    for name in ["a.gpkg", "b.gpkg"] {
      let summary = try json(["replay", trace, "--store", scratch.file(name), "--json"])
      #expect(summary["fixes_accepted"]?.integer ?? 0 > 3500)
      #expect(summary["visits"]?.integer == 2)
      exports.append(
        try ["gpx", "geojson", "kml", "csv"].map { try export($0, scratch.file(name)) })
    }
    #expect(exports[0] == exports[1])
  }

  @Test("GDAL opens a simulated store with all its layers")
  func theStoreOpensInGDALWithAllItsLayers() throws {
    let store = scratch.file("day.gpkg")
    _ = try json(["simulate", "--coarse", "--store", store, "--json"])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ogrinfo")
    process.arguments = ["-so", "-al", "-ro", store]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    for layer in [
      "track_points", "visits", "destinations", "gnss_sessions", "coarse_observations",
      "power_segments", "events",
    ] { #expect(text.contains("Layer name: \(layer)"), "\(layer) is missing: \(text)") }
    #expect(!text.lowercased().contains("warning"), "\(text)")
  }

  @Test(
    "errors are explained",
    arguments: [
      (["simulate", "/nonexistent.csv"], "No such file"),
      (["simulate", "--policy", "best"], "no policy 'best'"),
      (["simulate", "--days", "0"], "--days"),
      (["simulate", "/etc/hostname", "--days", "2"], "remove them, or the trace"),
      (["simulate", "--days", "-1"], "not -1"),
      (["replay", "/"], "Is a directory; specify the path of a recording"),
      (["simulate", "--from", "monday"], "not a date"),
      (["simulate", "--life", "hermit"], "there is no life 'hermit'"),
      (["simulate", "/etc/hostname", "--life", "hiker"], "remove them, or the trace"),
      (["simulate", "/etc/hostname", "--truth-stays", "x.json"], "only a life has known stays"),
      (["simulate", "--truth-stays", "/nowhere/x.json"], "No such file or directory"),
      (["simulate", "--sources", "sonar"], "write none, all, or some of motion,network,wifi,cell"),
      (["simulate", "--sources", "motion,motion"], "'motion' is named twice"),
      (["simulate", "--sources", ""], "there is no source ''"),
      (["simulate", "--sources", "all,motion"], "there is no source 'all'"),
      (["simulate", "--sources", "all", "--coarse"], "use only one of them"),
      (["replay", "/dev/null"], "the file is empty"),
      (["replay", "/etc/hostname"], "neither NMEA"),
    ])
  func mistakesAreExplained(arguments: [String], words: String) throws {
    let outcome = try Program.run(arguments + ["--store", scratch.file("x.gpkg")])
    #expect(outcome.exitCode != 0)
    #expect(outcome.messages.hasPrefix("godwit: "))
    #expect(outcome.messages.contains(words), "\(outcome.messages)")
    #expect(outcome.output.isEmpty)
  }

  /// The error appears at different positions: at the first byte, after the last, in the middle.
  @Test(
    "a run that fails leaves no file behind, and reports the position of the error",
    arguments: ["replay", "simulate"])
  func aFailedRunLeavesNoFileBehind(command: String) throws {
    let point = "<trkpt lat='53.2' lon='6.5'><time>2026-05-01T08:00:00Z</time></trkpt>"
    for (text, words) in [
      ("time,lat,lon\n", "contains no position"),
      ("time,lat,lon\n2026-05-01T08:00:00Z,91,6.5\n", "line 2"),
      ("<gpx>\n<trk>", "line 2"), ("<gpx>\n\(point)\n</trkpt>", "line 3"),
    ] {
      let trace = scratch.file("bad.csv")
      try text.write(toFile: trace, atomically: true, encoding: .utf8)
      let outcome = try Program.run([command, trace, "--store", scratch.file("x.gpkg")])
      #expect(outcome.exitCode == 1 && outcome.output.isEmpty)
      #expect(outcome.messages.hasPrefix("godwit: \(trace): "), "\(outcome.messages)")
      #expect(outcome.messages.contains(words), "\(outcome.messages)")
      let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
      #expect(left == ["bad.csv"])
    }
  }

  @Test("unreadable parts of a trace are counted and reported", arguments: ["replay", "simulate"])
  func badRowsAreSaid(command: String) throws {
    let time = "2026-05-01T08:00:0"
    let csv =
      "time,lat,lon,ele\n"
      + (0..<9).map { "\(time)\($0)Z,53.2,6.5,\($0 == 4 ? "nan" : "1")\n" }
      .joined() + "\0\0\0\0"
    let point = "<trkpt lat='53.2' lon='6.5'><time>"
    let gpx = "<gpx>\n" + (0..<9).map { "\(point)\(time)\($0)Z</time></trkpt>\n" }.joined() + "<trk"
    for (name, text, rows, line) in [("a.csv", csv, 1, 11), ("b.gpx", gpx, 0, 11)] {
      let trace = scratch.file(name)
      try text.write(toFile: trace, atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        command, trace, "--store", scratch.file("\(name).gpkg"), "--json",
      ])
      #expect(outcome.exitCode == 0, "\(outcome.messages)")
      #expect(outcome.messages.contains("\(trace): "))
      #expect(outcome.messages.contains("line \(line): "), "\(outcome.messages)")
      let summary = try JSONValue(
        parsing: outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))
      #expect(summary["trace_rows_skipped"]?.integer == rows)
      #expect((summary["trace_first_skipped"]?["line"]?.integer == 11) == (rows > 0))
      #expect(summary["trace_values_left_out"]?.integer == rows)
      #expect((summary["trace_cut_off"]?["line"]?.integer == 11) == (rows == 0))
    }
  }

  @Test("a trace out of order is sorted, and that is reported", arguments: ["replay", "simulate"])
  func aTraceOutOfOrderIsSorted(command: String) throws {
    let trace = scratch.file("turned.csv")
    let rows = (0..<50).map { "2026-05-01T08:00:\(59 - $0 % 25)Z,53.2,6.5\n" }
    try ("time,lat,lon\n" + rows.joined()).write(toFile: trace, atomically: true, encoding: .utf8)
    let outcome = try Program.run([
      command, trace, "--store", scratch.file("x.gpkg"), "--json",
    ])
    #expect(outcome.exitCode == 0)
    let start = "godwit: \(trace): "
    #expect(outcome.messages.contains(start + "sorted by time: line 3, 2026-05-01T08:00:58Z"))
    #expect(outcome.messages.contains(start + "left out 25 positions that are duplicates"))
    let summary = try JSONValue(
      parsing: outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(summary["duration_s"]?.number ?? 0 >= 24)
    #expect(summary["trace_repeats_left_out"]?.integer == 25)
  }

  @Test("an existing file is not touched") func anExistingStoreIsNotTouched() throws {
    let store = scratch.file("old.gpkg")
    try "precious".write(toFile: store, atomically: true, encoding: .utf8)
    let outcome = try Program.run(["simulate", "--store", store])
    #expect(outcome.exitCode == 2)
    #expect(outcome.messages.contains("exists already"))
    #expect(try String(contentsOfFile: store, encoding: .utf8) == "precious")
  }
}

extension JSONValue {
  /// Without one key, such as the provenance.
  fileprivate func without(_ key: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.name != key }.map { ($0.name, $0.value) })
  }
}
