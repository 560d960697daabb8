import Foundation
import Core
import TestSupport
import Testing

/// Store maintenance from the command line; no output may overwrite the store.
@Suite struct StoreCareTests {
  let scratch: ScratchFolder
  let store: String

  init() throws {
    scratch = try ScratchFolder()
    store = scratch.file("life.gpkg")
    let made = try Program.run("simulate", "--days", "2", "--store", store)
    #expect(made.exitCode == 0, "\(made.messages)")
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: store)) }

  @Test(
    "an output that is the store, or one of its side files, is refused",
    arguments: [
      "export gpx --store $S --output", "export csv --set store.path=$S --output",
      "power record --set store.path=$S --out", "simulate --set store.path=$S --store",
      "replay $T --set store.path=$S --store", "store backup --force --store $S",
    ])
  func outputs(command: String) throws {
    let before = try bytes()
    let manager = FileManager.default
    for suffix in ["csv", "json"] {
      try manager.createSymbolicLink(
        atPath: scratch.file("soft.\(suffix)"), withDestinationPath: "life.gpkg")
      try manager.linkItem(atPath: store, toPath: scratch.file("hard.\(suffix)"))
      try manager.createSymbolicLink(
        atPath: scratch.file("log.\(suffix)"), withDestinationPath: "life.gpkg-wal")
    }
    try scratch.write("time,lat,lon\n2026-05-04T08:00:00Z,52,5\n", to: "trace.csv")
    let present = scratch.files
    let names = ["soft.csv", "hard.json", "log.csv", "log.json"].map { scratch.file($0) }
    let direct =
      command.contains("record") ? [] : ["", "-wal", "-shm", "-journal"].map { store + $0 }
    for name in names + direct {
      let words = command.replacingOccurrences(of: "$S", with: store)
        .replacingOccurrences(of: "$T", with: scratch.file("trace.csv")).split(separator: " ")
      let outcome = try Program.run(words.map(String.init) + [name])
      #expect(outcome.exitCode == 2, "\(name): \(outcome.messages)")
      #expect(outcome.messages.hasPrefix("godwit: "), "\(name)")
      #expect(outcome.messages.contains(name), "\(outcome.messages)")
      #expect(try bytes() == before && scratch.files == present, "\(name)")
    }
  }

  @Test(
    "an output does not replace the settings, or the outbox that they name",
    arguments: [
      "power record --out", "simulate --store $N --truth-track",
      "simulate --policy adaptive,hybrid --csv",
    ])
  func settings(command: String) throws {
    let outbox = scratch.file("uplink.db")
    try scratch.write("[uplink]\npath = \"\(outbox)\"\n", to: "godwit.toml")
    try scratch.write("outbox", to: "uplink.db")
    let settings = scratch.file("godwit.toml")
    let before = try scratch.text("godwit.toml")
    let words = command.replacingOccurrences(of: "$N", with: scratch.file("new.gpkg"))
    for output in [settings, outbox] {
      let outcome = try Program.run(
        words.split(separator: " ").map(String.init) + [output, "--config", settings])
      #expect(outcome.exitCode == 2, "\(outcome.messages)")
      #expect(outcome.messages.contains("\(output): that is the "), "\(outcome.messages)")
    }
    #expect(try scratch.text("godwit.toml") == before)
    #expect(try scratch.text("uplink.db") == "outbox")
  }

  @Test("a new store does not use the names of existing files") func neighbours() throws {
    let precious = scratch.file("new.gpkg-wal")
    try scratch.write("precious", to: "new.gpkg-wal")
    let outcome = try Program.run("simulate", "--store", scratch.file("new.gpkg"))
    #expect(outcome.exitCode == 2 && outcome.messages.contains(precious))
    #expect(try scratch.text("new.gpkg-wal") == "precious")
  }

  @Test("restore returns what backup saved, and both report faults")
  func unsoundCopies() throws {
    _ = try TestSupport.run("sqlite3", store, "UPDATE visits SET confidence = 'high' WHERE id = 1")
    let copy = scratch.file("copy.gpkg")
    let saved = try Program.run("store", "backup", copy, "--store", store)
    let restored = try Program.run("store", "restore", copy, "--store", store)
    for (outcome, name) in [(saved, store), (restored, copy)] {
      #expect(outcome.exitCode == 0)
      #expect(outcome.messages.contains("column confidence"), "\(outcome.messages)")
      #expect(outcome.messages.contains("`godwit store check --store \(name)`"))
      #expect(outcome.messages.contains("`godwit store repair --store \(name)`"))
    }
  }

  @Test(
    "a copy is readable by no more users than the store and the umask allow",
    arguments: [(0o600, "022", 0o600), (0o664, "027", 0o640), (0o640, "022", 0o640)])
  func permissions(store mode: Int, umask: String, expected: Int) throws {
    chmod(store, mode_t(mode))
    let outcome = try Program.shell("store backup \"$0.copy\" --store \"$0\"", store, umask: umask)
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let made = try FileManager.default.attributesOfItem(atPath: store + ".copy")
    #expect(made[.posixPermissions] as? Int == expected)
  }

  @Test("check, back up, damage, repair, restore and compact") func care() throws {
    let sound = try Program.run("store", "check", "--store", store)
    #expect(sound.exitCode == 0 && sound.output.hasSuffix("passed its integrity check\n"))
    let copy = scratch.file("copy.gpkg")
    #expect(try Program.run("store", "backup", copy, "--store", store).exitCode == 0)
    #expect(try Program.run("store", "backup", copy, "--store", store).exitCode == 1)
    #expect(try Program.run("store", "backup", copy, "--force", "--store", store).exitCode == 0)
    let layers = try TestSupport.run("ogrinfo", "-ro", "-q", copy)
    #expect(layers.status == 0 && layers.output.contains("track_points (Point)"))
    _ = try TestSupport.run("sqlite3", store, "UPDATE visits SET confidence = 'high' WHERE id = 1")
    let check = try Program.run("store", "check", "--json", "--store", store)
    #expect(check.exitCode == 1 && check.messages.contains("godwit store repair"))
    let report = try JSONValue(parsing: check.output)
    let problem = try #require(report["problems"]?.array?.first)
    #expect(problem["table"]?.string == "visits" && problem["id"]?.number == 1)
    #expect(problem["text"]?.string?.contains("column confidence") == true)
    #expect(report["passed"]?.bool == false)
    let repaired = try Program.run("store", "repair", "--store", store)
    #expect(repaired.exitCode == 0 && repaired.output.contains("lost: 1 invalid row"))
    let again = try Program.run("store", "repair", "--store", store)
    #expect(again.exitCode == 0 && again.output.contains("nothing to repair"))
    #expect(try Program.run("store", "check", "--store", store).exitCode == 0)
    let restored = try Program.run("store", "restore", copy, "--store", store)
    #expect(restored.exitCode == 0 && restored.output.contains("the previous store, with"))
    #expect(try Program.run("store", "compact", "--store", store).exitCode == 0)
    let kept = ["copy.gpkg", "life.gpkg", "life.gpkg.before-restore", "life.gpkg.damaged"]
    #expect(scratch.files == kept)
    for command in ["check", "repair", "compact"] {
      let none = try Program.run("store", command, "--store", scratch.file("none.gpkg"))
      #expect(none.exitCode == 1, "\(command)")
    }
    #expect(scratch.files == kept)
    let nowhere = try Program.run("store", "backup", scratch.file("no/b.gpkg"), "--store", store)
    #expect(nowhere.exitCode == 1 && !nowhere.messages.contains("--store"))
    try scratch.write("no store at all", to: "text.gpkg")
    let text = try Program.run("store", "repair", "--store", scratch.file("text.gpkg"))
    #expect(text.exitCode == 1 && text.messages.contains("nothing could be read"))
  }
}
