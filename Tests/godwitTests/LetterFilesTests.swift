import Foundation
import Core
import Platform
import TestSupport
import Testing

@testable import godwit

/// `godwit letters export` and `import`: transfer by file, without a broker.
@Suite struct LetterFilesTests {
  private let scratch: ScratchFolder
  private let anna: PersonsStore
  private let ben: PersonsStore
  private let file: String

  init() throws {
    scratch = try ScratchFolder()
    file = scratch.file("letters.jsonl")
    anna = try PersonsStore("anna", in: scratch, broker: false)
    ben = try PersonsStore("ben", in: scratch, broker: false)
    try ben.done("contacts", "add", "Anna", "anna")
  }

  @Test("letters are transferred by file, and a second import changes nothing") func handedOver()
    throws
  {
    try anna.done("letters", "add", "--to", "ben", "--at", "52,5", "First")
    try anna.done("letters", "add", "--to", "carl", "--at", "52,5", "Second")
    try anna.done("letterboxes", "add", "Shed", "--at", "52,5", "--for", "ben")
    try anna.done("letters", "export", file)
    #expect(try anna.done("letters", "export", "-") + "\n" == scratch.text("letters.jsonl"))
    #expect(
      try ben.done("letters", "import", file) == "2 imported, 0 known, 1 for others, 0 refused")
    let items = try ben.items()
    #expect(
      try ben.done("letters", "import", file) == "0 imported, 2 known, 1 for others, 0 refused")
    #expect(try ben.items() == items)
    // The receipt returns the same way, and the letter need not be stored there any more.
    try ben.come(52, 5)
    try ben.done("letters", "export", file)
    let back = try anna.run(["letters", "import", file])
    #expect(back.output.hasSuffix("delivered\n1 imported, 0 known, 0 for others, 0 refused\n"))
    #expect(back.messages.isEmpty, "\(back)")
    #expect(try anna.list("letters").compactMap { $0["to"]?.array?.first?.string } == ["carl"])
  }

  @Test("valid letters are kept beside invalid ones, which are reported with their lines")
  func garbage() throws {
    try anna.done("letters", "add", "--to", "ben", "--at", "52,5", "Good")
    try anna.done("letters", "export", file)
    let good = try scratch.text("letters.jsonl")
    try scratch.write("rubbish\n{\"type\":\"letter\"}\n\(good){\"type\":\"x", to: "mixed")
    let mixed = try ben.run(["letters", "import", scratch.file("mixed")])
    #expect(
      mixed.exitCode == 0 && mixed.output == "1 imported, 0 known, 0 for others, 3 refused\n",
      "\(mixed)")
    for line in ["message 1, line 1", "message 2, line 2", "message 4, line 4"] {
      #expect(mixed.messages.contains(line), "\(mixed.messages)")
    }
    #expect(try ben.list("letters").count == 1)
    try scratch.write("nothing but rubbish\n\u{0}\n", to: "bad")
    let bad = try ben.run(["letters", "import", scratch.file("bad")])
    #expect(
      bad.exitCode == 1 && bad.output.isEmpty && bad.messages.contains("0 for others, 2 refused"))
    #expect(try ben.refusal("letters", "import", "/nonexistent").contains("/nonexistent"))
  }

  @Test("letters of a blocked person are reported with their lines") func stranger() throws {
    try anna.done("letters", "add", "--to", "ben", "--at", "52,5", "x")
    try anna.done("letterboxes", "add", "Shed", "--at", "52,5", "--for", "ben")
    try anna.done("letters", "export", file)
    try ben.done("contacts", "remove", "Anna")
    let outcome = try ben.run(["letters", "import", file])
    #expect(outcome.exitCode == 1 && outcome.messages.contains("message 1, line 1"))
    let advice = "anna is not a contact: use `godwit contacts add NAME anna`"
    #expect(outcome.messages.split(separator: advice).count == 3, "\(outcome.messages)")
    try ben.done("contacts", "block", "anna")
    let blocked = try ben.run(["letters", "import", file])
    #expect(blocked.messages.contains("use `godwit contacts unblock anna` to change that"))
  }

  @Test("a large file is read in pieces") func large() throws {
    let many = (0..<1100).map { number in
      let digits = String(format: "%012d", number)
      return "{\"type\":\"letter\",\"version\":1,\"id\":\"00000000-0000-4000-8000-\(digits)\","
        + "\"from\":\"anna\",\"to\":[\"ben\"],\"latitude\":52,\"longitude\":5,\"text\":\"x\"}"
    }
    try scratch.write("[\n" + many.joined(separator: ",\n") + "\n]\n", to: "many")
    let outcome = try ben.run(["letters", "import", scratch.file("many")])
    #expect(outcome.output == "64 imported, 0 known, 0 for others, 1036 refused\n", "\(outcome)")
    #expect(outcome.messages.contains("and 1016 more refused"))
  }

  @Test("an export replaces its file when it is complete, and never a store") func export() throws {
    try scratch.write("before", to: "letters.jsonl")
    let store = try anna.run(["letters", "export", anna.path])
    #expect(store.exitCode == 2 && store.messages.contains("that is the store"))
    #expect(try anna.refusal("letters", "export", ben.path).contains("it is a database"))
    #expect(try anna.refusal("letters", "export", "/nonexistent/x").contains("its folder"))
    #expect(try scratch.text("letters.jsonl") == "before")
    try anna.done("letters", "export", file)
    #expect(try scratch.text("letters.jsonl").isEmpty)
    let mode = try #require(FileStatus(path: file)).kernel.st_mode
    #expect(mode & 0o777 == 0o600, "letters are nobody else's")
  }
}
