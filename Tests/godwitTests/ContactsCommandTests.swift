import Core
import TestSupport
import Testing

@testable import godwit

/// `godwit contacts`, and the common behaviour of all commands for people.
@Suite struct ContactsCommandTests {
  private let scratch: ScratchFolder
  private let anna: PersonsStore

  init() throws {
    scratch = try ScratchFolder()
    anna = try PersonsStore("anna", in: scratch)
  }

  @Test("contacts are added, renamed, blocked and removed") func life() throws {
    try anna.done("contacts", "add", "Ben", "ben")
    try anna.done("contacts", "add", "Carl, the tall", "carl")
    try anna.done("contacts", "edit", "ben", "Benjamin")
    try anna.done("contacts", "block", "benjamin")
    try anna.done("contacts", "block", "mallory")
    try anna.done("contacts", "allow", "everybody")
    let all = try anna.json("contacts", "list")
    #expect(all["welcome"]?.string == "everybody")
    let rows = try #require(all["contacts"]?.array)
    #expect(rows.map { $0["address"]?.string } == ["ben", "carl", "mallory"])
    #expect(rows.map { $0["name"]?.string } == ["Benjamin", "Carl, the tall", nil])
    #expect(rows.map { $0["blocked"]?.bool } == [true, false, true])
    let table = try anna.done("contacts")
    #expect(table.hasSuffix("Letters are accepted from everybody."))
    try anna.done("contacts", "unblock", "Benjamin")
    try anna.done("contacts", "unblock", "mallory")
    try anna.done("contacts", "remove", "Benjamin")
    let left = try anna.json("contacts")["contacts"]?.array
    #expect(left?.map { $0["address"]?.string } == ["carl"])
  }

  @Test("invalid changes give a reason, and change nothing") func refusals() throws {
    try anna.done("contacts", "add", "Ben", "ben")
    #expect(try anna.refusal("contacts", "add", "Ben", "x").contains("\"Ben\" is ben already"))
    #expect(try anna.refusal("contacts", "add", "B", "ben").contains("a contact already, \"Ben\""))
    #expect(try anna.refusal("contacts", "add", "C", "Carl", code: 2).contains("address: \"Carl\""))
    #expect(try anna.refusal("contacts", "add", "a\nb", "b").contains("line break"))
    #expect(try anna.refusal("contacts", "remove", "Carl").contains("no contact is called"))
    #expect(try anna.refusal("contacts", "edit", "x", "y").contains("no contact is called"))
    #expect(try anna.refusal("contacts", "block", "No one").contains("it is not an address"))
    #expect(try anna.refusal("contacts", "block", "anna").contains("anna is your own address"))
    #expect(try anna.refusal("contacts", "unblock", "ben", code: 2).contains("is not blocked"))
    #expect(try anna.refusal("contacts", "allow", "friends", code: 2).contains("friends"))
  }

  @Test(
    "without an own address, every command explains how to set it",
    arguments: [
      ["contacts"], ["contacts", "add", "Ben", "ben"], ["letters"], ["letters", "show", "abcd"],
      ["letters", "add", "--to", "ben", "--at", "52,5", "x"], ["letterboxes", "list"],
      ["letters", "remove", "abcd"], ["letters", "reply", "abcd", "x"],
      ["letterboxes", "add", "B", "--at", "52,5", "--for", "ben"],
      ["letterboxes", "remove", "abcd"],
      ["letters", "export"], ["letters", "import", "/dev/null"], ["groups"],
      ["groups", "add", "G", "--range", "100"], ["groups", "show", "abcd"],
      ["groups", "join", "abcd"], ["meetings"], ["meetings", "navigate", "abcd"],
      ["meetings", "add", "M", "--at", "52,5", "--from", "2030-01-01", "--to", "2030-01-02"],
    ])
  func nobody(command: [String]) throws {
    let outcome = try Program.run(command + ["--store", anna.path])
    #expect(outcome.exitCode == 2 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.messages.contains("address = \"anna\" in the section [people]"))
  }

  @Test("a store of a newer version is left alone") func newer() throws {
    _ = try TestSupport.run(
      "sqlite3", anna.path, "INSERT INTO migrations VALUES (99, 'tracks-99')")
    for command in [
      ["contacts"], ["contacts", "add", "B", "b"], ["letters", "import", "/dev/null"],
    ] {
      let outcome = try anna.run(command)
      #expect(outcome.exitCode == 1 && outcome.messages.contains("tracks-99"), "\(outcome)")
    }
  }

  @Test("unreadable parts of the store are reported, and the rest is shown") func damaged() throws {
    try anna.done("contacts", "add", "Ben", "ben")
    _ = try TestSupport.run(
      "sqlite3", anna.path,
      "INSERT INTO messages (kind, name, message) VALUES ('letter', 'x', '{}')")
    let outcome = try anna.run(["contacts"])
    #expect(outcome.exitCode == 0 && outcome.output.contains("Ben"))
    #expect(outcome.messages.contains("letter x cannot be read"), "\(outcome)")
  }
}
