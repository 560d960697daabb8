import Foundation
import TestSupport
import Testing

/// `make install` and `make uninstall`, into a separate folder.
@Suite struct InstallTests {
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  let folder: ScratchFolder
  private var destination: String { folder.file("root") }

  /// Placeholder files replace whatever takes long to build.
  init() throws {
    folder = try ScratchFolder()
    for name in ["program", "man/godwit.1", "man/godwit.toml.5", "man/godwit.gpkg.5"] {
      try folder.write("", to: name)
    }
    for name in ["godwit", "_godwit", "godwit.fish"] {
      try folder.write("", to: "completions/\(name)")
    }
    for name in ["gnss", "ina219", "ina226", "ina228"] {
      try folder.write("", to: "overlays/godwit-\(name).dtbo")
    }
  }

  private func make(_ target: String, _ more: String...) throws -> (output: String, status: Int32) {
    let variables = [
      "DESTDIR=\(destination)", "PREFIX=/opt/godwit", "MAN=\(folder.file("man"))",
      "COMPLETIONS=\(folder.file("completions"))", "PROGRAM=\(folder.file("program"))",
      "OVERLAYS=\(folder.file("overlays"))",
    ]
    let line = (variables + more).map { "'\($0)'" }.joined(separator: " ")
    return try run("sh", "-c", "make --no-print-directory -C '\(Self.package)' \(target) \(line)")
  }

  /// Every file below the destination, by its path there.
  private func installed() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: destination).filter { name in
      var status = stat()
      return lstat("\(destination)/\(name)", &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }.sorted()
  }

  @Test("the installed files can be run, read and started")
  func install() throws {
    let made = try make("install", "PROGRAM=\(BuiltProgram.path("godwit"))")
    #expect(made.status == 0, "\(made.output)")
    let files = try installed()
    for name in [
      "opt/godwit/bin/godwit", "opt/godwit/share/man/man1/godwit.1",
      "opt/godwit/share/man/man5/godwit.gpkg.5",
      "opt/godwit/share/godwit/boards/README.md", "opt/godwit/share/godwit/boards/ina226/README.md",
      "opt/godwit/share/godwit/boards/ina226/board.toml",
      "opt/godwit/share/godwit/overlays/godwit-ina226.dtbo",
      "opt/godwit/share/doc/godwit/examples/gpsd.socket.d/godwit.conf",
      "usr/lib/sysusers.d/godwit.conf", "etc/godwit/godwit.toml",
    ] {
      #expect(files.contains(name), "\(name)")
    }
    #expect(!files.contains { $0.hasPrefix("etc/systemd/system/gpsd") }, "gpsd stays closed")
    let unit = try folder.text("root/etc/systemd/system/godwit.service")
    #expect(unit.contains("ExecStart=/opt/godwit/bin/godwit run"))
    #expect(!unit.contains("/usr/local/bin"))
    #expect(files.contains("etc/systemd/system/godwit-alert.socket"))
    let alert = try folder.text("root/etc/systemd/system/godwit-alert@.service")
    #expect(alert.contains("ExecStart=/opt/godwit/bin/godwit alerts execute"))
    #expect(!alert.contains("/usr/local/bin"))
    let program = "\(destination)/opt/godwit/bin/godwit"
    #expect(try run(program, "--version").status == 0)
    func size(_ path: String) throws -> Int {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
    #expect(try size(program) < size(BuiltProgram.path("godwit")), "it is stripped")
  }

  @Test("all installed files are removed again, and nothing else")
  func uninstall() throws {
    #expect(try make("install", "STRIP=").status == 0)
    let own = [
      "etc/godwit/godwit.toml", "opt/godwit/share/godwit/boards/mine/board.toml",
      "var/lib/godwit/godwit.gpkg", "opt/godwit/bin/other",
    ]
    for name in own { try folder.write("mine", to: "root/\(name)") }
    let gone = try make("uninstall")
    #expect(gone.status == 0, "\(gone.output)")
    #expect(try installed() == own.sorted())
  }

  @Test("existing settings stay unchanged") func settings() throws {
    try folder.write("mine", to: "root/etc/godwit/godwit.toml")
    #expect(try make("install", "STRIP=").status == 0)
    #expect(try folder.text("root/etc/godwit/godwit.toml") == "mine")
  }

  @Test("without the user's files no folder of godwit's remains")
  func folders() throws {
    #expect(try make("install", "STRIP=").status == 0)
    #expect(try make("uninstall").status == 0)
    #expect(try make("uninstall").status == 0, "twice is not wrong")
    #expect(try installed() == [])
    let named = try FileManager.default.subpathsOfDirectory(atPath: destination)
      .filter { ($0 as NSString).lastPathComponent == "godwit" }
    #expect(named == ["opt/godwit"], "the prefix is the user's")
  }

  @Test("nothing is installed while a part is not built")
  func unbuilt() throws {
    let made = try make("install", "PROGRAM=\(folder.file("nothing"))")
    #expect(made.status != 0 && made.output.contains("make build man completions overlays"))
    #expect(!FileManager.default.fileExists(atPath: destination))
  }
}
