import Records
import GodwitSettings
import Core
import Store
import TestSupport
import Testing

@testable import Config

@Suite struct ConfigurationTests {
  func file(_ text: String, name: String = "godwit.toml") -> SettingsFile {
    SettingsFile(name: name, bytes: Array(text.utf8))
  }

  func problems(_ text: String, assignments: [String] = []) -> [String] {
    do {
      _ = try Configuration<Settings>(settings: file(text), assignments: assignments)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test("an unreadable line hides no other error")
  func severalSyntaxErrors() {
    let text = """
      [power_switch]
      suply = GPIO17
      sleep_command = "perhaps"
      [receiver
      port = 70000
      [receiver]
      prot = 1
      baud = = 9600
      [policy]
      nme = "hybrid"
      """
    #expect(
      problems(text).map { $0.split(separator: " ")[0] } == [
        "godwit.toml:2:9:", "godwit.toml:4:10:", "godwit.toml:8:8:", "godwit.toml:7:",
        "godwit.toml:10:", "godwit.toml:3:",
      ])
  }

  /// The lines below could be misread as part of the open statement.
  @Test(
    "where the end of a statement is unknown, nothing below is reported",
    arguments: [
      "places.groups = [\n  a,\n  nonsense = 1\n]", "store.path = \"\"\"\n[nonsense]\nx = 1",
      "places.groups = [ a,\n  \"nonsense\",\n]\nnonsense = 1",
      "gnss = {\n  nonsense = 1,\n  other = 2\n}", "gnss = { off_mA = 1,\n  nonsense = [1]\n}",
    ])
  func unclearEnd(text: String) { #expect(problems(text).count == 1) }

  @Test("a text with hostile errors is read quickly", .timeLimit(.minutes(1)))
  func hostile() {
    // A faulty header is replaced by a name that is already defined.
    #expect(!problems("[\"\\u00012\"]\n[x\n").isEmpty)
    let long = String(repeating: "\0", count: TOMLParser.maxTextSize - 1)
    #expect(problems(long).count == 1)
  }

  @Test("a byte not allowed in TOML hides no other error") func foreignBytes() {
    var bytes = Array("# M".utf8) + [0xfc]
    bytes += Array("nchen, f\u{1}\u{2}r\n# \u{1f}\n[gnss]\noff_mA = = 1\nnme = \"Z\u{7f}".utf8)
    bytes += [0xfc] + Array("rich\"\nsleeping_mA = 2 # \u{0}\n".utf8)
    let error = thrown(SettingsError.self) {
      _ = try Configuration<Settings>(settings: SettingsFile(name: "t", bytes: bytes))
    }
    #expect(
      error?.problems.map(\.source) == ["t:1:4", "t:2:3", "t:4:10", "t:5:9", "t:6:19", "t:5"])
  }

  @Test("a file that is too long is reported once, and none of it is used") func tooLong() {
    let first = "a = = " + String(repeating: "1", count: 100) + "\n"
    let rest = String(repeating: "b = = 1\n", count: TOMLParser.maxTextSize / 8)
    let found = problems(first + rest)
    #expect(found.count == 1 && found.first?.contains("at most 524288 bytes") == true, "\(found)")
  }

  @Test("no message contains a secret") func secrets() throws {
    let wrong = [
      ("lookup.url = \"api.example/?k=KEY9\"", []), ("", ["lookup.url=api.example/?k=KEY9"]),
      ("[lookup]\nurl = KEY9", []), ("[alerts]\ncommand = [\n  KEY9\n]", []),
      ("", ["lookup.ulr=KEY9"]), ("", ["alerts.command=[\"KEY9\"]"]),
      ("uplink.osmand.url = \"KEY9\"", []), ("uplink.osmand.url = [\"KEY9\"]", []),
    ]
    for (text, assignments) in wrong {
      let found = problems(text, assignments: assignments)
      #expect(!found.isEmpty && !found.contains { $0.contains("KEY9") }, "\(found)")
    }
    let configuration = try Configuration<Settings>(assignments: ["lookup.url=https://a/?k=KEY9"])
    #expect(
      configuration.origin(of: "lookup.url").description == "option --set lookup.url=(not told)")
    let boards = ["a", "b"].map { file("lookup.url = \"https://\($0)/?k=KEY9\"", name: $0) }
    let error = thrown(SettingsError.self) { _ = try Configuration<Settings>(boards: boards) }
    #expect(error?.description.contains("contradict") == true)
    #expect(error?.description.contains("KEY9") == false)
  }

  @Test("a hostile file of errors is refused in time") func manyErrors() {
    let lines = Array(repeating: "a = = 1", count: 10_000).joined(separator: "\n")
    #expect(problems(lines).count == 20)
  }

  @Test("an unreadable line does not count as missing")
  func unreadDecision() {
    let boards = [
      file("gnss.off_mA = 1", name: "a.toml"), file("gnss.off_mA = 2", name: "b.toml"),
      file("replaces = [\"gnss.sleeping_mA\"]\n[gnss]\nsleeping_mA = = 3", name: "c.toml"),
    ]
    let error = thrown(SettingsError.self) {
      _ = try Configuration<Settings>(boards: boards, settings: file("gnss.off_mA = = 3"))
    }
    #expect(error?.problems.map(\.source) == ["c.toml:3:15", "godwit.toml:1:15"])
  }

  @Test("later layers win") func laterLayersWin() throws {
    let configuration = try Configuration<Settings>(
      boards: [file("gnss.off_mA = 1\ngnss.sleeping_mA = 2\ngnss.tracking_mA = 3", name: "b.toml")],
      settings: file("[gnss]\nsleeping_mA = 20\ntracking_mA = 30.5"),
      assignments: ["gnss.tracking_mA=300"])
    let gnss = configuration.settings.gnss
    #expect(gnss.off == 0.001)
    #expect(gnss.sleeping == 0.02)
    #expect(gnss.tracking == 0.3)
    #expect(gnss.acquiring == ReceiverEnergyModel.ubloxM8.acquiring)
    let origins = ["off_mA", "sleeping_mA", "tracking_mA", "acquiring_mA"].map {
      configuration.origin(of: "gnss.\($0)").description
    }
    #expect(
      origins == [
        "b.toml:1", "godwit.toml:2", "option --set gnss.tracking_mA=300", "built-in default",
      ])
  }

  @Test(
    "the command line sets values",
    arguments: [
      ("receiver.kind=none", "receiver.kind", "\"none\""),
      ("receiver.host = \"a=b\"", "receiver.host", "\"a=b\""),
      ("receiver.device=/dev/ttyS0", "receiver.device", "\"/dev/ttyS0\""),
      ("receiver.date_floor=2025-06-01", "receiver.date_floor", "2025-06-01"),
      ("receiver.accept_missing_checksums=true", "receiver.accept_missing_checksums", "true"),
      ("store.retention_days=30", "store.retention_days", "30"),
      ("store.min_free_MB=5", "store.min_free_MB", "5"),
    ])
  func commandLine(assignment: String, key: String, expected: String) throws {
    let configuration = try Configuration<Settings>(assignments: [
      assignment.replacing(" ", with: "")
    ])
    #expect(configuration.settings.value(of: key)?.toml == expected)
  }

  @Test("a file's word for none is nil in the structs, and is shown as written")
  func noneIsNil() throws {
    let none = [
      "receiver.baud=0", "receiver.gpsd_device=\"\"", "receiver.gpsd_control=\"\"",
      "receiver.family=\"auto\"", "power_switch.supply=\"\"", "power_monitor.bus=-1",
      "power_monitor.address=0x00", "power_monitor.label=\"\"", "power_monitor.device=\"\"",
      "acquisition.cold_reset_after=0", "store.retention_days=0", "store.retention_points=0",
      "store.min_free_MB=0",
    ]
    let settings = try Configuration<Settings>(assignments: none).settings
    #expect(settings.receiver.serial.baud == nil && settings.receiver.family == nil)
    #expect(settings.receiver.gpsd.device == nil && settings.receiver.gpsd.control == nil)
    #expect(settings.powerSwitch.lines.isEmpty)
    #expect(settings.powerMonitor.bus == nil && settings.powerMonitor.address == nil)
    #expect(settings.powerMonitor.label == nil && settings.powerMonitor.device == nil)
    #expect(settings.acquisition.coldResetAfter == nil)
    #expect(settings.store.retention == RetentionLimits())
    for assignment in none {
      let parts = assignment.split(separator: "=")
      let value = try #require(settings.value(of: String(parts[0])))
      #expect(value.toml == parts[1])
    }
  }

  /// Separate from the test, and typed: inside the test's macro they take the compiler too long.
  static let refused: [(text: String, message: String)] = [
    (
      "[policy]\nnme = \"hybrid\"",
      "godwit.toml:2: there is no setting policy.nme; did you mean policy.name?"
    ),
    (
      "[gnss]\ntimeout_s = 5",
      "godwit.toml:2: there is no setting gnss.timeout_s; did you mean acquisition.timeout_s?"
    ),
    (
      "[recieverr]\nx = 5",
      "godwit.toml:1: there is no setting recieverr; did you mean receiver?"
    ),
    (
      "zzzzzzzz = 5",
      "godwit.toml:1: there is no setting zzzzzzzz; godwit config default lists all settings"
    ),
    (
      "\n[receiver]\nport = \"x\"",
      "godwit.toml:3: receiver.port is a string; expected a whole number, 1 to 65535"
    ),
    (
      "receiver.port = 65536",
      "godwit.toml:1: receiver.port = 65536 is out of range; expected 1 to 65535"
    ),
    (
      "receiver.baud = 9601",
      "godwit.toml:1: receiver.baud = 9601 is not a supported value; expected 0, 4800, 9600, "
        + "19200, 38400, 57600, 115200, 230400, 460800 or 921600"
    ),
    (
      "gnss.tracking_mA = -1",
      "godwit.toml:1: gnss.tracking_mA = -1 is out of range; expected 0 to 2000 mA"
    ),
    (
      "gnss.tracking_mA = nan",
      "godwit.toml:1: gnss.tracking_mA = nan is out of range; expected 0 to 2000 mA"
    ),
    (
      "power_switch.supply = \"GNSS_EN upside-down\"",
      "godwit.toml:1: power_switch.supply has the unknown word upside-down; after the line come "
        + "active-low, open-drain, open-source, pull-up, pull-down or bias-disabled"
    ),
    ("policy = 3", "godwit.toml:1: policy is an integer, but must be a section: write [policy]"),
    (
      "receiver.date_floor = 1979-05-27",
      "godwit.toml:1: receiver.date_floor is out of range; expected a date from 1980-01-06 to "
        + "2200-01-01"
    ),
    (
      "control.socket = \"\"",
      "godwit.toml:1: control.socket has 0 bytes; expected text of 1 to 107 bytes"
    ),
    (
      "acquisition.min_timeout_s = 200",
      "godwit.toml:1: acquisition.min_timeout_s = 200 must not exceed acquisition.timeout_s "
        + "= 180"
    ),
    (
      "power_switch.kind = \"gpio\"",
      "godwit.toml:1: power_switch.supply = \"\" is empty, but power_switch.kind = \"gpio\" needs "
        + "the line that switches the supply; a receiver without such a line sleeps by "
        + "power_switch.kind = \"command\""
    ),
    (
      "[power_switch]\nkind = \"gpio\"\nsupply = \"A\"\nreset = \"A active-low\"",
      "godwit.toml:4: power_switch.reset = \"A active-low\" is also power_switch.supply; each "
        + "needs a separate line"
    ),
    (
      "[power_switch]\nkind = \"gpio\"\nsupply = \"A\"\n[motion]\nline = \"A pull-up\"",
      "godwit.toml:5: motion.line = \"A pull-up\" is also power_switch.supply; each needs a "
        + "separate line"
    ),
    (
      "[motion]\nline = \"A open-drain\"",
      "godwit.toml:2: motion.line = \"A open-drain\" is an input; open-drain and open-source are "
        + "only for outputs"
    ),
    (
      "[receiver]\nkind = \"serial\"\n[power_switch]\nkind = \"gnss\"",
      "godwit.toml:4: power_switch.kind = \"gnss\" needs receiver.kind = \"gnss\": the kernel "
        + "switches a receiver only while its GNSS device is open. Set that and receiver.device = "
        + "\"/dev/gnss0\", or another power_switch.kind"
    ),
    (
      "[receiver]\nkind = \"gnss\"\n[power_switch]\nkind = \"command\"",
      "godwit.toml:2: receiver.kind = \"gnss\" has its power switched by the kernel; set "
        + "power_switch.kind = \"gnss\", or \"none\" for a receiver whose supply the kernel does "
        + "not control"
    ),
    (
      "power_monitor.address = 3",
      "godwit.toml:1: power_monitor.address = 0x3 is out of range; expected 0 or 0x08 to 0x77"
    ),
    (
      "power_monitor.address = 0x99",
      "godwit.toml:1: power_monitor.address = 0x99 is out of range; expected 0 or 0x08 to 0x77"
    ),
    (
      "power_monitor.address = -3",
      "godwit.toml:1: power_monitor.address = -3 is out of range; expected 0 or 0x08 to 0x77"
    ),
    (
      "power_switch.supply = \"x\\u0000\"",
      "godwit.toml:1: power_switch.supply contains the character U+0000, which no name or path has"
    ),
    (
      "receiver.device = \"/dev/x\\u0000\"",
      "godwit.toml:1: receiver.device contains the character U+0000, which no name or path has"
    ),
    (
      "[power_switch]\nkind = \"command\"\nsleep_command = \"none\"",
      "godwit.toml:3: power_switch.sleep_command = \"none\" leaves power_switch.kind = \"command\" "
        + "without a sleep command; write \"auto\", or power_switch.kind = \"none\" for a receiver "
        + "that is always on"
    ),
    (
      "[receiver]\nfamily = \"simcom\"\n[power_switch]\nkind = \"command\"",
      "godwit.toml:4: power_switch.kind = \"command\" needs a sleep command, and receiver.family = "
        + "\"simcom\" has none; write \"none\", or \"gpio\" with the line that switches its supply"
    ),
    (
      "receiver.family = \"ubloxM8\"\n[power_switch]\nkind = \"gpio\"\nsupply = \"A\"\n"
        + "sleep_command = \"mtkStandby\"",
      "godwit.toml:5: power_switch.sleep_command = \"mtkStandby\" is not supported by "
        + "receiver.family = \"ubloxM8\", which supports \"ubxBackup16\", \"ubxBackup8\"; write "
        + "\"auto\""
    ),
    (
      "power_monitor.kind = \"i2c\"",
      "godwit.toml:1: power_monitor.bus = -1 does not name a bus; write its number (1 for "
        + "/dev/i2c-1)"
    ),
    (
      "[power_monitor]\nkind = \"i2c\"\nbus = 1\naddress = 0\nlabel = \"VDD\"",
      "godwit.toml:4: power_monitor.address = 0x00 is not a chip's address; write it "
        + "(i2cdetect -y BUS shows it)\ngodwit.toml:5: power_monitor.label = \"VDD\" needs a "
        + "kernel driver; write power_monitor.channel instead"
    ),
    (
      "[power_monitor]\nkind = \"i2c\"\nbus = 1\nchip = \"ltc2945\"",
      "godwit.toml:4: power_monitor.chip = \"ltc2945\" is read through its kernel driver only; use "
        + "power_monitor.kind = \"hwmon\""
    ),
    (
      "[power_monitor]\nkind = \"iio\"\nchip = \"ina228\"",
      "godwit.toml:3: power_monitor.chip = \"ina228\" is not driven by ina2xx-adc; use "
        + "power_monitor.kind = \"hwmon\" or \"i2c\""
    ),
    (
      "[power_monitor]\nkind = \"hwmon\"\nchannel = 2",
      "godwit.toml:3: power_monitor.channel = 2 does not exist on an ina226, which has 1"
    ),
    ("[receiver", "godwit.toml:1:10: found the end of the file, expected ']' or '.'"),
  ]

  @Test("a refusal names the place, the setting and the accepted values", arguments: refused)
  func refusalsSayWhatWouldBeTaken(text: String, message: String) {
    #expect(problems(text).joined(separator: "\n") == message)
  }

  @Test("every problem is reported, not only the first") func everyProblemIsNamed() {
    let found = problems("a = 1\nb = 2\ngnss.off_mA = true", assignments: ["c", "receiver.port=0"])
    #expect(found.count == 5)
  }

  /// Any bytes end in a result, never in a crash.
  @Test("a damaged file is read or refused, and never crashes") func damagedFilesEndInAnAnswer() {
    var random = SplitMix(seed: 11)
    let original = Array(SettingsText.render(Settings()).utf8)
    var refused = 0
    for _ in 0..<300 {
      var bytes = original
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes.replaceSubrange(
        index..<min(bytes.count, index + 3), with: [UInt8.random(in: 0...255, using: &random)])
      do {
        _ = try Configuration<Settings>(settings: SettingsFile(name: "f", bytes: bytes))
      } catch {
        refused += 1
        #expect(!error.problems.isEmpty)
      }
    }
    #expect(refused > 50)
  }
}
