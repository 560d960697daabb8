import Foundation
import TestSupport
import Testing

/// `godwit image`, on a directory tree in place of a board's root.
@Suite struct ImageCommandTests {
  private static let key =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJkn5dGX5nRMSjNjqr6yL1tHqD0mNvqU9jv8q4xHqv7A me@laptop"
  private static let good = """
    boards = ["near"]
    policy.name = "periodic"
    [device]
    name = "Kestrel"
    [network]
    kind = "none"
    [wifi]
    kind = "none"
    [image]
    ssh_keys = ["\(key)"]
    timezone = "Europe/Berlin"
    wifi_country = "DE"
    [[image.wifi_networks]]
    ssid = "Home"
    password = "correct horse"
    """

  /// A tree with the files of an image.
  private struct Tree {
    let scratch: ScratchFolder

    init() throws {
      scratch = try ScratchFolder()
      try scratch.write(
        "[gnss]\noff_mA = 0.25\n", to: "root/usr/share/godwit/boards/near/board.toml")
      try scratch.write("[gnss]\noff_mA = 0.5\n", to: "root/etc/godwit/board.toml")
      try scratch.write("# tzdata\nZ Europe/Berlin x\n", to: "root/usr/share/zoneinfo/tzdata.zi")
      try scratch.write("", to: "root/usr/share/zoneinfo/Europe/Berlin")
      let examples = "root/usr/share/doc/godwit/examples"
      try scratch.write("[Service]\n", to: "\(examples)/godwit.service.d/closed.conf")
      try scratch.write("", to: "boot/.keep")
    }

    func apply(_ text: String? = nil, umask: String = "022") throws -> Program.Outcome {
      if let text { try scratch.write(text, to: "boot/godwit.toml") }
      return try Program.run(
        [
          "image", "apply", "--settings", scratch.file("boot/godwit.toml"), "--root",
          scratch.file("root"), "--report", scratch.file("boot/report.txt"),
        ], umask: umask)
    }

    var report: String { get throws { try scratch.text("boot/report.txt") } }

    /// The report in one line.
    var words: String {
      get throws { try report.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    /// Every file below etc with its mode, every link with its target; with `inodes` also the inode
    /// numbers.
    func listing(inodes: Bool = false) throws -> [String] {
      let etc = scratch.file("root/etc")
      let names = try FileManager.default.subpathsOfDirectory(atPath: etc).sorted()
      return names.compactMap { name in
        let path = "\(etc)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return nil }
        let identity = inodes ? " \(status.st_ino)" : ""
        guard status.st_mode & S_IFMT == S_IFLNK else {
          return "\(name) \(String(status.st_mode & 0o7777, radix: 8))\(identity)"
        }
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        return "\(name) -> \(target ?? "?")\(identity)"
      }
    }
  }

  @Test("it makes exactly these files, once, and removes outdated ones")
  func itMakesTheseFiles() throws {
    let tree = try Tree()
    let first = try tree.apply(Self.good)
    #expect(first.exitCode == 0 && first.messages == "")
    #expect(first.output == "10 files changed; 0 remarks: nothing to correct\n")
    #expect(
      try tree.listing() == [
        "NetworkManager/system-connections/godwit-\(Self.profile).nmconnection 600",
        "godwit/board.toml 644", "godwit/godwit.toml 644", "hostname 644", "hosts 644",
        "localtime -> ../usr/share/zoneinfo/Europe/Berlin",
        "modprobe.d/godwit-wifi-country.conf 644", "ssh/authorized_keys.d/godwit-admin 644",
        "systemd/system/godwit.service.d/closed.conf -> "
          + "/usr/share/doc/godwit/examples/godwit.service.d/closed.conf",
        "systemd/system/gpsd.service -> /dev/null", "systemd/system/gpsd.socket -> /dev/null",
      ])
    let listing = try tree.listing(inodes: true)
    let report = try tree.report
    let again = try tree.apply()
    #expect(again.output == "0 files changed; 0 remarks: nothing to correct\n")
    #expect(try tree.listing(inodes: true) == listing)
    #expect(try tree.report == report)
    let bare = try tree.apply("")
    #expect(bare.exitCode == 0)
    #expect(
      try tree.listing() == [
        "godwit/board.toml 644", "godwit/godwit.toml 644", "hostname 644", "hosts 644",
        "localtime -> ../usr/share/zoneinfo/Etc/UTC", "systemd/system/gpsd.service -> /dev/null",
        "systemd/system/gpsd.socket -> /dev/null",
      ])
  }

  @Test("files and folders have their modes for any umask")
  func modes() throws {
    let usual = try Tree()
    let made = try usual.apply(Self.good)
    #expect(made.exitCode == 0)
    for umask in ["002", "077"] {
      let tree = try Tree()
      #expect(try tree.apply(Self.good, umask: umask).exitCode == 0)
      #expect(try tree.listing() == usual.listing())
      for folder in ["modprobe.d", "ssh/authorized_keys.d", "systemd/system"] {
        let attributes = try FileManager.default.attributesOfItem(
          atPath: tree.scratch.file("root/etc/\(folder)"))
        #expect(attributes[.posixPermissions] as? Int == 0o755, "\(folder), umask \(umask)")
      }
    }
  }

  private static let profile = "3637e295"

  @Test("the daemon's own check accepts the settings, with the board")
  func theCheckAcceptsThem() throws {
    let tree = try Tree()
    _ = try tree.apply(Self.good)
    let folder = tree.scratch.file("root/usr/share/godwit/boards")
    let shown = try Program.run(
      ["config", "show", "--config", tree.scratch.file("root/etc/godwit/godwit.toml")],
      environment: ["GODWIT_BOARDS": folder])
    #expect(shown.exitCode == 0 && shown.messages == "")
    #expect(shown.output.contains("gnss.off_mA = 0.25"))
    #expect(shown.output.contains("policy.name = \"periodic\""))
  }

  @Test("errors are in the report, and the command succeeds")
  func errorsAreTold() throws {
    let tree = try Tree()
    let outcome = try tree.apply(
      "boards = [\"neer\"]\npolicy.nme = \"periodic\"\n[image\nhostname = \"x\"\n")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasSuffix("3 remarks: see \(tree.scratch.file("boot/report.txt"))\n"))
    let report = try tree.report
    #expect(report.contains("* line 1: this image has no board neer; did you mean near?\r\n"))
    #expect(
      report.contains("* line 2: there is no setting policy.nme; did you mean policy.name?\r\n"))
    #expect(report.contains("* line 3: this header cannot be read"))
  }

  @Test("a board by its path is refused: the daemon could not read it") func boardByPath() throws {
    let tree = try Tree()
    try tree.scratch.write("[gnss]\noff_mA = 1.25\n", to: "boot/mine.toml")
    let outcome = try tree.apply(
      "boards = [\"near\", \"\(tree.scratch.file("boot/mine.toml"))\"]\n")
    #expect(outcome.exitCode == 0 && outcome.output.contains("1 remark"))
    #expect(
      try tree.words.contains("mine.toml is a path, but a card names boards only by their names"))
    #expect(try tree.scratch.text("root/etc/godwit/godwit.toml").contains("\"near\""))
    #expect(try !tree.scratch.text("root/etc/godwit/godwit.toml").contains("mine.toml"))
  }

  @Test("a missing, unreadable or far too long file is reported, and the board gets its defaults")
  func unusableFiles() throws {
    let missing = try Tree()
    #expect(try missing.apply().exitCode == 0)
    #expect(try missing.report.contains("There is no settings file"))
    let folder = try Tree()
    try folder.scratch.write("", to: "boot/godwit.toml/x")
    #expect(try folder.apply().exitCode == 0)
    #expect(try folder.report.contains("cannot be read (Is a directory)"))
    let long = try Tree()
    #expect(try long.apply(String(repeating: "# long\n", count: 10_000)).exitCode == 0)
    #expect(try long.report.contains("more than 65536 bytes"))
    for tree in [missing, folder, long] {
      #expect(try tree.scratch.text("root/etc/hostname") == "godwit\n")
    }
    #expect(mkfifo(missing.scratch.file("boot/godwit.toml"), 0o644) == 0)
    #expect(try missing.apply().exitCode == 0)
  }

  @Test("a file to whose name an editor has added .txt is found")
  func aFileWithAnotherEnding() throws {
    let tree = try Tree()
    try tree.scratch.write("device.name = \"Heron\"\r\n", to: "boot/godwit.toml.txt")
    #expect(try tree.apply().exitCode == 0)
    #expect(try tree.scratch.text("root/etc/hostname") == "heron\n")
    #expect(try tree.words.contains("remove .txt from its name"))
    #expect(try tree.apply("device.name = \"Egret\"").exitCode == 0)
    #expect(try tree.scratch.text("root/etc/hostname") == "egret\n")
    #expect(try tree.words.contains("was ignored"))
  }

  @Test("a file that cannot be written is reported and fails; the rest is written")
  func whatCannotBeWritten() throws {
    let tree = try Tree()
    try tree.scratch.write("", to: "root/etc/hostname/in-the-way")
    let outcome = try tree.apply(Self.good)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("root/etc/hostname: Is a directory"))
    #expect(try tree.report.contains("NOT WRITTEN: 1 file\r\n"))
    #expect(try tree.scratch.text("root/etc/godwit/godwit.toml").contains("periodic"))
    try FileManager.default.removeItem(atPath: tree.scratch.file("boot"))
    try tree.scratch.write("", to: "boot")
    let unreported = try tree.apply()
    #expect(unreported.exitCode == 1)
    #expect(unreported.messages.contains("cannot write"))
  }

  @Test("a link in the tree does not redirect a file out of it")
  func linksAreReplaced() throws {
    let tree = try Tree()
    try tree.scratch.write("mine\n", to: "outside")
    try FileManager.default.createSymbolicLink(
      atPath: tree.scratch.file("root/etc/hostname"),
      withDestinationPath: tree.scratch.file("outside"))
    #expect(try tree.apply(Self.good).exitCode == 0)
    #expect(try tree.scratch.text("outside") == "mine\n")
    #expect(try tree.scratch.text("root/etc/hostname") == "kestrel\n")
  }

  @Test("passwords are in the connection file only")
  func passwords() throws {
    let tree = try Tree()
    let outcome = try tree.apply(Self.good + "\npolicy.name = x correct horse\n")
    #expect(!outcome.output.contains("horse") && !outcome.messages.contains("horse"))
    let found = try run("grep", "-rl", "horse", tree.scratch.path).output
      .split(separator: "\n").map { $0.dropFirst(tree.scratch.path.count) }.sorted()
    #expect(found.first == "/boot/godwit.toml" && found.count == 2)
    #expect(found.last?.hasSuffix(".nmconnection") == true)
  }

  @Test("the initial file names the requested boards")
  func theFileToBeginWith() throws {
    let short = try Program.run("image", "settings", "--board", "near", "--board", "far")
    #expect(short.exitCode == 0)
    #expect(short.output.contains("boards = [\"near\",\"far\"]\r\n"))
    let all = try Program.run("image", "settings", "--all")
    #expect(all.output.contains("\n[image]\n") && all.output.contains("\n[policy]\n"))
    let user = try Program.run("image", "apply", "--user", "../x")
    #expect(user.exitCode == 2)
  }
}
