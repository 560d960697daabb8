import Config
import Core
import TestSupport
import Testing

/// Sections that the parts of a list contribute, as policies do.
@Suite struct SettingCollectionTests {
  struct Slow: SettingGroup {
    var pause: Seconds = 60
    var longest: Seconds = 600

    mutating func declare(_ setting: SettingVisitor) {
      setting.section("pace.slow", "The slow pace.")
      setting("pause_s", &pause, .quantity(1...1000), "From one step to the next.")
      setting("longest_s", &longest, .quantity(1...1000), "The pause grows up to this.")
      setting.ascending("pause_s", "longest_s")
    }
  }

  struct Quick: SettingGroup {
    var steps = 3

    mutating func declare(_ setting: SettingVisitor) {
      setting.section("pace.quick", "The quick pace.")
      setting("steps", &steps, .integer(1...9), "So many steps at once.")
    }
  }

  struct Walk: SettingGroup {
    var pace = "slow"
    var constants = SettingCollection()

    mutating func declare(_ setting: SettingVisitor) {
      setting.section("pace", "How it walks.")
      setting("name", &pace, .word(oneOf: ["slow", "quick"]), "The pace that is chosen.")
      constants.declare([Slow.self, Quick.self], setting)
    }
  }

  @Test("every part finds its own struct")
  func partsFindTheirs() throws {
    let settings = try Configuration<Walk>(
      assignments: ["pace.slow.pause_s=90", "pace.quick.steps=5", "pace.name=quick"]
    ).settings
    #expect(settings.pace == "quick")
    #expect(settings.constants[Slow.self] == Slow { $0.pause = 90 })
    #expect(settings.constants[Quick.self].steps == 5)
    #expect(Walk().constants[Quick.self] == Quick())
  }

  @Test("collections are equal when all their parts are")
  func equality() {
    var one = SettingCollection()
    one[Quick.self].steps = 5
    #expect(one != SettingCollection())
    var other = SettingCollection()
    other[Quick.self].steps = 4
    #expect(one != other)
    other[Quick.self].steps = 5
    #expect(one == other)
    other[Quick.self] = Quick()
    other[Slow.self] = Slow()
    #expect(other == SettingCollection())
  }

  @Test("a part's own conflicts are reported under its section")
  func conflictsAreTold() {
    let failure = thrown(SettingsError.self, "a conflict") {
      _ = try Configuration<Walk>(assignments: ["pace.slow.longest_s=30"])
    }
    #expect(
      failure?.description
        == "option --set pace.slow.longest_s=30: pace.slow.pause_s = 60 must not "
        + "exceed pace.slow.longest_s = 30")
  }

  @Test("only names of the list are accepted")
  func namesAreChecked() {
    let failure = thrown(SettingsError.self, "an unknown name") {
      _ = try Configuration<Walk>(assignments: ["pace.name=lame"])
    }
    #expect(
      failure?.description
        == "option --set pace.name=lame: pace.name = \"lame\" is unknown; expected \"slow\" or "
        + "\"quick\""
    )
  }
}
