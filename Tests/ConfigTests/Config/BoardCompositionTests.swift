import GodwitSettings
import TestSupport
import Testing

@testable import Config

@Suite struct BoardCompositionTests {
  static func file(_ name: String, _ text: String) -> SettingsFile {
    SettingsFile(name: name, bytes: Array(text.utf8))
  }

  static let host = file("host", "receiver.device = \"/dev/serial0\"\n[power_monitor]\nbus = 1")
  static let receiver = file("receiver", "[gnss]\ntracking_mA = 29\nacquiring_mA = 32")
  static let monitor = file("monitor", "[power_monitor]\nkind = \"i2c\"\naddress = 0x41")
  static let modem = file(
    "modem",
    "replaces = [\"receiver.device\"]\n[receiver]\ndevice = \"/dev/ttyUSB1\"\nbaud = 115200")

  static func origin(_ key: String, in configuration: Configuration<Settings>) -> String? {
    configuration.declared[key].map { configuration.origin(of: $0.key).description }
  }

  @Test("every board contributes its values") func everyBoardBringsItsValues() throws {
    let configuration = try Configuration<Settings>(boards: [
      Self.host, Self.receiver, Self.monitor,
    ])
    #expect(configuration.settings.receiver.serial.path == "/dev/serial0")
    #expect(configuration.settings.gnss.tracking == 0.029)
    #expect(configuration.settings.powerMonitor.bus == 1)
    #expect(configuration.settings.powerMonitor.address == 0x41)
    #expect(Self.origin("receiver.device", in: configuration) == "host:1")
    #expect(Self.origin("power_monitor.bus", in: configuration) == "host:3")
    #expect(Self.origin("power_monitor.address", in: configuration) == "monitor:3")
    #expect(Self.origin("gnss.acquiring_mA", in: configuration) == "receiver:3")
    #expect(Self.origin("gnss.off_mA", in: configuration) == "built-in default")
  }

  /// Whatever the order of the boards: the same settings with the same origins.
  @Test("the order of boards does not matter") func orderDoesNotMatter() throws {
    let boards = [Self.host, Self.receiver, Self.monitor, Self.modem]
    let expected = try Configuration<Settings>(boards: boards)
    #expect(expected.settings.receiver.serial.path == "/dev/ttyUSB1")
    var random = SplitMix(seed: 3)
    for _ in 0..<50 {
      let shuffled = boards.shuffled(using: &random)
      let configuration = try Configuration<Settings>(boards: shuffled)
      #expect(configuration == expected)
    }
  }

  static func problems(
    _ boards: [SettingsFile], settings: String = "", assignments: [String] = []
  ) -> String {
    let failure = thrown(SettingsError.self, "boards") {
      _ = try Configuration<Settings>(
        boards: boards, settings: file("godwit.toml", settings), assignments: assignments)
    }
    return failure?.description ?? ""
  }

  static let faster = file("faster", "[receiver]\nbaud = 9600")
  static let slower = file("slower", "\n[receiver]\nbaud = 4800")

  @Test("conflicting boards are named") func contradictingBoardsAreNamed() {
    #expect(
      Self.problems([Self.faster, Self.slower])
        == "slower:3: receiver.baud = 4800, but faster:2 has 9600: the boards contradict each "
        + "other; leave one out, or set receiver.baud in the settings file"
    )
  }

  @Test("a later layer resolves a conflict") func strongerLayersDecide() throws {
    let boards = [Self.faster, Self.slower]
    let byFile = try Configuration<Settings>(
      boards: boards, settings: Self.file("mine", "receiver.baud = 38400"))
    #expect(byFile.settings.receiver.serial.baud == 38_400)
    #expect(Self.origin("receiver.baud", in: byFile) == "mine:1")
    let byOption = try Configuration<Settings>(
      boards: boards, assignments: ["receiver.baud=115200"])
    #expect(byOption.settings.receiver.serial.baud == 115_200)
  }

  /// 64 is 0x40.
  @Test("the same value written differently is not a conflict")
  func sameValueWrittenOtherwiseIsNoContradiction() throws {
    let one = Self.file("one", "power_monitor.address = 64")
    let two = Self.file("two", "power_monitor.address = 0x40")
    let configuration = try Configuration<Settings>(boards: [one, two, one])
    #expect(Self.origin("power_monitor.address", in: configuration) == "one:1")
  }

  @Test("two replacements of one value conflict") func twoReplacementsContradict() {
    let other = Self.file("other", "replaces = [\"receiver.device\"]\nreceiver.device = \"/dev/x\"")
    #expect(Self.problems([Self.host, Self.modem, other]).hasPrefix("other:2: receiver.device = "))
  }

  /// Separate from the test, and typed: inside the test's macro they take the compiler too long.
  static let refused: [(board: String, settings: String, message: String)] = [
    ("boards = [\"x\"]", "", "board:1: boards belongs to the settings file, before its first"),
    ("", "replaces = []", "godwit.toml:1: replaces belongs to a board file, before its first"),
    ("", "[store]\nboards = []", "godwit.toml:2: boards belongs to the settings file, before"),
    ("replaces = [\"receiver.baud\"]", "", "board:1: replaces: every element must be a setting"),
    ("replaces = [1]", "", "board:1: replaces: every element must be a setting"),
    ("replaces = true", "", "board:1: replaces is a boolean; expected settings in brackets"),
    ("", "boards = \"x\"", "godwit.toml:1: boards: is a string; expected names in brackets"),
    ("", "boards = [3]", "godwit.toml:1: boards: contains an integer; expected names in quotes"),
    ("", "boards = [\"\"]", "godwit.toml:1: boards: the name of a board must have 1 to 255 bytes"),
    ("", "boards = [\"..\"]", "godwit.toml:1: boards: '..' is not a board name"),
    ("receiver.baud = 1", "", "board:1: receiver.baud = 1 is not a supported value"),
    ("[receiver", "", "board:1:10: found the end of the file"),
  ]

  @Test("a mistake in the composition is reported in one line with its place", arguments: refused)
  func mistakesAreToldWithTheirPlace(board: String, settings: String, message: String) {
    let found = Self.problems([Self.file("board", board)], settings: settings)
    #expect(found.hasPrefix(message), "\(found)")
    #expect(!found.contains("\n"))
  }

  @Test("a settings file names boards") func namesInTheSettingsFile() throws {
    let text = "boards = [\n  \"one\", # first\n  \"./two.toml\",\n]"
    let names = try #require(BoardName.named(in: Self.file("godwit.toml", text)))
    #expect(names.map(\.text) == ["one", "./two.toml"])
    #expect(names.map(\.isPath) == [false, true])
    #expect(names.map(\.origin.description) == ["godwit.toml:2", "godwit.toml:3"])
    #expect(BoardName.named(in: Self.file("godwit.toml", "receiver.port = 1")) == nil)
    #expect(BoardName.named(in: Self.file("godwit.toml", "boards = []")) == [])
    #expect(BoardName.named(in: Self.file("godwit.toml", "boards = [1]")) == [])
  }

  @Test("the number of boards is limited") func theirNumberIsBounded() {
    let many = Array(repeating: "\"x\"", count: BoardName.maxCount + 1).joined(separator: ",")
    #expect(
      Self.problems([], settings: "boards = [\(many)]")
        == "godwit.toml:1: boards: names 17 boards; expected at most 16")
  }
}
