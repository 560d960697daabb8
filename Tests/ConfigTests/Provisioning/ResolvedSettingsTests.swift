import GodwitSettings
import Testing

@testable import Config

/// Conflicting settings: the one that gives way is always the same, and is reported.
@Suite struct ResolvedSettingsTests {
  @Test("a setting that another excludes gives way")
  func aSettingThatAnotherExcludes() throws {
    let bench = BootBench()
    let made = bench.provisioning(
      "power_switch.kind = \"gnss\"\npolicy.name = \"periodic\"\ndevice.name = \"x\"\n")
    #expect(made.remarks.count == 1)
    #expect(made.remarks.first?.hasPrefix("line 1: power_switch.kind = \"gnss\" needs") == true)
    #expect(try bench.daemon(made).settings.policy.name == "periodic")
  }

  @Test("settings that need each other stay, in either order")
  func settingsThatNeedEachOther() throws {
    let lines = ["power_switch.kind = \"gnss\"\n", "receiver.kind = \"gnss\"\n"]
    for text in [lines[0] + lines[1], lines[1] + lines[0]] {
      let made = BootBench().provisioning(text)
      #expect(made.remarks == [])
      #expect(try BootBench().daemon(made).settings.receiver.kind == .gnss)
    }
  }

  @Test("a setting that conflicts with a board gives way")
  func aSettingAgainstTheBoard() throws {
    var bench = BootBench()
    bench.boards["gnss"] = "[receiver]\nkind = \"gnss\"\n[power_switch]\nkind = \"gnss\"\n"
    let made = bench.provisioning(
      "boards = [\"gnss\"]\nreceiver.kind = \"serial\"\npolicy.name = \"periodic\"\n")
    #expect(made.remarks.count == 1)
    #expect(made.remarks.first?.hasPrefix("line 2: receiver.kind is incompatible with") == true)
    #expect(try bench.daemon(made).settings.receiver.kind == .gnss)
    #expect(try bench.daemon(made).settings.policy.name == "periodic")
  }

  @Test("of two conflicting boards the last gives way")
  func boardsThatContradict() throws {
    let bench = BootBench()
    let made = bench.provisioning("boards = [\"host\", \"other-host\", \"hat\"]\n")
    #expect(made.remarks.count == 1)
    #expect(made.remarks.first?.hasPrefix("line 1: the board other-host is not used") == true)
    #expect(try made.text(SystemPlan.settings).contains("boards = [\"host\",\"hat\"]\n"))
    // A setting decides between them.
    #expect(
      bench.provisioning("boards = [\"host\", \"other-host\"]\ngnss.off_mA = 1").remarks == [])
  }

  @Test("missing boards and invalid names are left out")
  func boardsThatAreNotThere() throws {
    let bench = BootBench()
    let some = bench.provisioning("boards = [\"hots\", 5, \"a b\", \"hat\"]")
    #expect(some.diagnostics.map(\.line) == [1, 1, 1])
    #expect(try some.text(SystemPlan.settings).contains("boards = [\"hat\"]\n"))
    // Without any board the image's own applies.
    let none = bench.provisioning("boards = [\"hots\"]")
    #expect(try !none.text(SystemPlan.settings).contains("boards"))
    #expect(bench.provisioning("boards = 5").remarks.count == 1)
  }

  @Test("an invalid board of the image is not used")
  func aWrongUsualBoard() throws {
    var bench = BootBench()
    bench.boards[""] = "[power_switch]\nkind = \"gnss\"\n"
    let made = bench.provisioning("policy.name = \"periodic\"")
    #expect(try bench.daemon(made).settings.powerSwitch.kind != .gnss)
    #expect(made.remarks.count == 1)
    #expect(made.remarks.first?.hasPrefix("The image's own board file is not used") == true)
    #expect(try bench.daemon(made).settings.policy.name == "periodic")
  }
}
