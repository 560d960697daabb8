import TestSupport
import Testing

/// The pages of the manual, as `make man` writes them.
@Suite struct ManualCommandTests {
  private func page(_ name: String) throws -> String {
    let outcome = try Program.run("manual", name, "--date", "May 1, 2026")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    return outcome.output
  }

  @Test(
    "mandoc reports nothing",
    arguments: ["godwit.1", "godwit.toml.5", "godwit.gpkg.5"])
  func lint(name: String) throws {
    let scratch = try ScratchFolder()
    try scratch.write(try page(name), to: name)
    // The pages that they reference need not be installed here.
    let complaints = try TestSupport.run("mandoc", "-T", "lint", scratch.file(name)).output
      .split(separator: "\n")
      .filter { !$0.contains("referenced manual") && !$0.contains("mandoc.db") }
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
  }

  @Test("godwit(1) has the usual sections in the usual order")
  func sections() throws {
    let lines = try page("godwit.1").split(separator: "\n")
    let sections = lines.filter { $0.hasPrefix(".Sh ") }.map { $0.dropFirst(4) }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "ENVIRONMENT", "FILES",
        "EXIT STATUS", "EXAMPLES", "SEE ALSO",
      ])
  }

  @Test("options shared by several commands are explained once") func sharedOptions() throws {
    let lines = try page("godwit.1").split(separator: "\n")
    for option in ["config Ar file", "board Ar name|file", "set Ar section.key=value"] {
      #expect(lines.count { $0 == ".It Fl -\(option)" } == 1, "\(option)")
    }
    // Some sixteen lines per command; it was a thousand lines when each command listed all options.
    let commands = lines.count { $0.hasPrefix(".It Cm ") }
    #expect(lines.count < 18 * commands, "\(lines.count) lines of \(commands) commands")
    for command in ["run", "gnss probe", "visits", "store backup", "config show"] {
      #expect(lines.contains { $0.hasPrefix(".It Cm \(command)") }, "\(command)")
    }
    #expect(!lines.contains { $0.hasPrefix(".It Cm manual") || $0.hasPrefix(".It Cm help") })
  }

  @Test("a command with a store option has a settings option, and its help shows it")
  func settings()
    throws
  {
    let items = try page("godwit.1").split(separator: "\n").filter { $0.hasPrefix(".It Cm ") }
    for name in ["contacts list", "letters add", "visits", "places near", "groups list"] {
      let item = try #require(items.first { $0.hasPrefix(".It Cm \(name) ") }, "\(name)")
      #expect(item.contains("Fl -config Ar file"), "\(item)")
    }
    let store = items.filter { $0.contains("Fl -store") && !$0.contains("Fl -config") }
    #expect(store.isEmpty, "\(store)")
    let help = try Program.run("contacts", "list", "--help").output
    #expect(help.contains("--config"), "\(help)")
  }

  @Test("an unknown page is wrong usage") func unknown() throws {
    #expect(try Program.run("manual", "godwit.2", "--date", "May 1, 2026").exitCode == 2)
  }
}
