import Config
import Core
import TestSupport
import Testing

/// Lists of tables, with a section that exists only in this test: `[[fence]]`.
@Suite struct ListOfTablesTests {
  struct Fence: SettingGroup {
    var name = ""
    var radius: Metres = 100
    var notice: Seconds?

    mutating func declare(_ setting: SettingVisitor) {
      setting("name", &name, .text(bytes: 1...20), "What the fence is called.")
      setting("radius_m", &radius, .quantity(1...5000), "Radius.")
      setting("notice_s", &notice, .optional(.quantity(0...60), noneAt: 0), "How long it waits.")
    }
  }

  struct Park: SettingGroup {
    var fences: [Fence] = []
    var gates = 1

    mutating func declare(_ setting: SettingVisitor) {
      setting.section("park", "The park.")
      setting("gates", &gates, .integer(0...9), "How many gates it has.")
      setting.list(
        "fence", "Places that are watched.", &fences, atMost: 3, required: ["name"])
    }
  }

  static func file(_ text: String, _ name: String = "park.toml") -> SettingsFile {
    SettingsFile(name: name, bytes: Array(text.utf8))
  }

  static let two = """
    [park]
    gates = 2
    [[fence]]
    name = "home"
    radius_m = 50
    [[fence]]
    name = "school"
    notice_s = 30
    """

  static func problems(_ text: String, _ assignments: [String] = []) -> [String] {
    let failure = thrown(SettingsError.self, "\(text)") {
      _ = try Configuration<Park>(settings: file(text), assignments: assignments)
    }
    return failure?.problems.map(\.description) ?? []
  }

  @Test("every table sets one element; unset fields keep their defaults")
  func tablesSetElements() throws {
    let settings = try Configuration<Park>(settings: Self.file(Self.two)).settings
    #expect(settings.gates == 2)
    #expect(settings.fences.map(\.name) == ["home", "school"])
    #expect(settings.fences.map(\.radius) == [50, 100])
    #expect(settings.fences.map(\.notice) == [nil, 30])
    #expect(try Configuration<Park>(settings: Self.file("")).settings.fences.isEmpty)
  }

  @Test("every problem names its table, its setting and its line")
  func problemsAreLocated() {
    let text = """
      [[fence]]
      name = "a"
      radius_m = 0
      [[fence]]
      radius = 3
      notice_s = "long"
      """
    #expect(
      Self.problems(text) == [
        "park.toml:3: fence[1].radius_m = 0 is out of range; expected 1 to 5000 m",
        "park.toml:5: fence[2] has no setting radius; did you mean radius_m?",
        "park.toml:6: fence[2].notice_s is a string; expected a number, 0 to 60 s",
        "park.toml:4: fence[2] has no name, which is required: text of 1 to 20 bytes",
      ])
  }

  /// Separate from the test, and typed: inside the test's macro they take the compiler too long.
  static let refused: [(text: String, message: String)] = [
    (
      "[fence]\nname = \"a\"",
      "park.toml:1: fence is a table; expected a list of tables: write [[fence]] for each"
    ),
    (
      "fence = 3",
      "park.toml:1: fence is an integer; expected a list of tables: write [[fence]] for each"
    ),
    ("fence = [3]", "park.toml:1: fence[1] is an integer; expected a table: write [[fence]]"),
    (
      String(repeating: "[[fence]]\nname = \"x\"\n", count: 4),
      "park.toml:1: fence has 4 tables; expected at most 3"
    ),
    (
      "[[fence]]\nname = \"a\"\nzzzzzzzz = 1",
      "park.toml:3: fence[1] has no setting zzzzzzzz; expected name, radius_m, notice_s"
    ),
    ("[[fnce]]\nname = \"a\"", "park.toml:1: there is no setting fnce; did you mean fence?"),
    ("[[park]]\ngates = 1", "park.toml:1: park is an array, but must be a section: write [park]"),
  ]

  @Test("an invalid list of tables is refused with advice", arguments: refused)
  func refusals(text: String, message: String) {
    #expect(Self.problems(text) == [message])
  }

  @Test("a stronger layer's list replaces the weaker one's as a whole")
  func strongerListsReplace() throws {
    let option = "fence=[{name=\"away\"}]"
    let configuration = try Configuration<Park>(
      boards: [Self.file("[[fence]]\nname = \"board\"", "board")],
      settings: Self.file(Self.two), assignments: [option])
    #expect(configuration.settings.fences.map(\.name) == ["away"])
    #expect(configuration.origin(of: "fence").description == "option --set \(option)")
    let byFile = try Configuration<Park>(
      boards: [Self.file("[[fence]]\nname = \"board\"", "board")], settings: Self.file(Self.two))
    #expect(byFile.settings.fences.count == 2)
    #expect(byFile.origin(of: "fence").description == "park.toml:3")
    #expect(
      Self.problems("", ["fence=[{name=\"a\", radius_m=0}]"]) == [
        "option --set fence=[{name=\"a\", radius_m=0}]: fence[1].radius_m = 0 is out of range; "
          + "expected 1 to 5000 m"
      ])
  }

  @Test("two boards may set the same list but not different ones")
  func boardsAgree() throws {
    let one = Self.file("[[fence]]\nname = \"a\"", "one")
    let same = Self.file("fence = [{ name = 'a' }]", "same")
    let other = Self.file("[[fence]]\nname = \"b\"", "other")
    let agreed = try Configuration<Park>(boards: [one, same])
    #expect(agreed.settings.fences.map(\.name) == ["a"])
    let failure = thrown(SettingsError.self, "different lists") {
      _ = try Configuration<Park>(boards: [one, other])
    }
    #expect(
      failure?.description.hasPrefix(
        "other:1: fence = [{ name = \"b\", radius_m = 100, notice_s = 0 }], but one:1 has ")
        == true)
  }

  @Test("the output of config show is read as the same list")
  func shownListsAreRead() throws {
    let settings = try Configuration<Park>(settings: Self.file(Self.two)).settings
    let shown = try #require(settings.value(of: "fence"))
    #expect(
      shown.toml == "[{ name = \"home\", radius_m = 50, notice_s = 0 }, "
        + "{ name = \"school\", radius_m = 100, notice_s = 30 }]")
    #expect(
      shown.json.text == "[{\"name\":\"home\",\"radius_m\":50,\"notice_s\":0},"
        + "{\"name\":\"school\",\"radius_m\":100,\"notice_s\":30}]")
    let again = try Configuration<Park>(assignments: ["fence=\(shown.toml)", "park.gates=2"])
    #expect(again.settings == settings)
  }

  @Test("the settings file that is printed explains the list and is read as the same")
  func printedFilesAreRead() throws {
    let settings = try Configuration<Park>(settings: Self.file(Self.two)).settings
    let text = SettingsText.render(settings)
    #expect(text.contains("# radius_m: Radius. Values: 1 to 5000 m.\n"))
    #expect(text.contains("[[fence]]\nname = \"school\"\nradius_m = 100\nnotice_s = 30\n"))
    #expect(try Configuration<Park>(settings: Self.file(text)).settings == settings)
    let empty = SettingsText.render(Park())
    #expect(empty.hasSuffix("# [[fence]]\n"))
    #expect(try Configuration<Park>(settings: Self.file(empty)).settings == Park())
  }

  @Test("the manual lists required settings and defaults")
  func manualExplainsLists() {
    let manual = SettingsManual.render(Park.self, date: "May 1, 2026")
    #expect(
      manual.contains(
        ".Ss fence\nPlaces that are watched.\nA change takes effect when the daemon is restarted.\n"
          + "Write [[fence]] before each.\n"))
    #expect(
      manual.contains(".It Va name\nWhat the fence is called.\nValues: text of 1 to 20 bytes.\n"))
    #expect(manual.contains("Required.\n"))
    #expect(manual.contains("Values: 1 to 5000 m.\nDefault: 100.\n"))
  }
}
