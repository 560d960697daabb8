import Core
import TestSupport
import Testing

@testable import godwit

/// `godwit letters`: between two boards, over a broker.
@Suite struct LettersCommandTests {
  private let scratch: ScratchFolder
  private let anna: PersonsStore
  private let ben: PersonsStore

  init() throws {
    scratch = try ScratchFolder()
    anna = try PersonsStore("anna", in: scratch)
    ben = try PersonsStore("ben", in: scratch)
    try anna.done("contacts", "add", "Ben", "ben")
    try ben.done("contacts", "add", "Anna", "anna")
  }

  @Test("a letter waits at its place, is delivered there, read and answered") func life() throws {
    let id = try anna.done(
      "letters", "add", "--to", "Ben", "--at", "52.1,5.12", "--expires", "2099-01-01",
      "Look up!\nThe clock is new.")
    #expect(try anna.list("letters").first?["state"]?.string == "written")
    try anna.send(to: ben)
    #expect(try anna.list("letters").first?["state"]?.string == "lying")
    let silent = try anna.list("letters").first?["outcomes"]?.array?.first
    #expect(silent?["state"]?.string == "waiting", "nobody can tell who answers")
    #expect(try anna.done("letters").hasSuffix("  Ben: waiting"), "since when stands beside it")

    let waiting = try #require(try ben.list("letters", "list").first)
    #expect(waiting["id"]?.string == id && waiting["state"]?.string == "waiting")
    #expect(waiting["text"] == .null && waiting["radius_m"]?.number == 20)
    #expect(!(try ben.done("letters").contains("Look up")))
    let refused = try ben.refusal("letters", "show", id)
    #expect(refused.contains("it can be read only at its place, 52.10000, 5.12000, within 20 m"))
    #expect(try ben.refusal("letters", "reply", id, "x").contains("the letter waits"))

    try ben.come(52.1, 5.12)
    #expect(try ben.list("letters").first?["text"]?.string?.hasPrefix("Look up!") == true)
    let page = try ben.done("letters", "show", String(id.prefix(4)))
    #expect(page.contains("from      Anna\n") && page.contains("text      Look up!\n"))
    #expect(page.hasSuffix("          The clock is new."))
    #expect(try ben.list("letters").isEmpty)
    #expect(try ben.list("letters", "list", "--all").first?["state"]?.string == "read")
    try ben.send(to: anna)
    let own = try #require(try anna.list("letters", "list", "--all").first)
    #expect(own["state"]?.string == "delivered")
    let outcome = try #require(own["outcomes"]?.array?.first)
    #expect(outcome["address"]?.string == "ben" && outcome["name"]?.string == "Ben")
    #expect(outcome["state"]?.string == "delivered" && outcome["reason"] == .null)

    let answer = try ben.done("letters", "reply", id, "I have seen it.")
    try ben.send(to: anna)
    try anna.come(52.1, 5.12)
    let answered = try anna.json("letters", "show", answer)
    #expect(answered["answers"]?.string == id && answered["text"]?.string == "I have seen it.")
    #expect(answered["to"]?.array?.map(\.string) == ["anna"])
  }

  @Test("a place of the store gives its circle and name, an outline the circle around its box")
  func places() throws {
    try anna.importMuseumAndPark(scratch)
    let inMuseum = try anna.done("letters", "add", "--to", "anna", "--place", "museum", "x")
    let inPark = try anna.done("letters", "add", "--to", "ben", "--place", "Park", "x")
    let all = try anna.list("letters")
    let museum = try #require(all.first { $0["id"]?.string == inMuseum })
    #expect(museum["place"]?.string == "Museum" && museum["radius_m"]?.number == 80)
    let park = try #require(all.first { $0["id"]?.string == inPark })
    #expect(park["lat"]?.number == 52.0005 && park["lon"]?.number == 5.001)
    #expect(abs((park["radius_m"]?.number ?? 0) - 88) < 1, "\(park)")
    try anna.done("places", "remove", "Museum")
    let still = try #require(try anna.list("letters").first { $0["id"]?.string == inMuseum })
    #expect(still["radius_m"]?.number == 80, "a letter needs its place no more")
    #expect(
      try anna.refusal("letters", "add", "--to", "ben", "--place", "Nowhere", "x")
        .contains("there is no place"))
  }

  @Test("an invalid letter gives a reason, and nothing is stored") func refusals() throws {
    func write(_ options: String..., text: String = "x") throws -> Program.Outcome {
      let before = try anna.items()
      let outcome = try anna.run(["letters", "add"] + options + [text])
      #expect(outcome.exitCode != 0 && outcome.output.isEmpty)
      #expect(try anna.items() == before)
      return outcome
    }
    let at = ["--at", "52,5"]
    func failure(_ to: String, _ more: String..., text: String = "x") throws -> String {
      let before = try anna.items()
      let outcome = try anna.run(["letters", "add", "--to", to] + at + more + [text])
      #expect(outcome.exitCode != 0 && outcome.output.isEmpty, "\(outcome)")
      #expect(try anna.items() == before)
      return outcome.messages
    }
    #expect(try failure("").contains("it is empty: name at least one person"))
    #expect(try failure("Berta").contains("no contact is called \"Berta\""))
    #expect(try failure("ben,everybody").contains("is reserved"))
    #expect(try failure("ben,Ben").contains("ben is listed twice"))
    #expect(try failure("ben", "--expires", "2021-01-01").contains("--expires is in the past"))
    for time in ["tomorrow", "2027-13-40"] {
      let message = try failure("ben", "--expires", time)
      #expect(message.contains("\(time)' is invalid for '--expires <time>': write a date such as"))
    }
    #expect(try failure("ben", text: " ").contains("write a text"))
    let long = String(repeating: "x", count: 2001)
    #expect(try failure("ben", text: long).contains("2001 bytes: shorten it to at most 2000"))
    #expect(try failure("ben", "--radius", "20000").contains("radius"))
    #expect(try failure("ben", "--radius", "-5").contains("-5.0 m is not a valid radius"))
    #expect(
      try write("--to", "ben", "--at", "95.1,3").messages.contains("such as 52.09,5.12: -90 to 90"))
    #expect(try failure("ben", "--place", "X").contains("use only one of --place and --at"))
    #expect(try failure("ben", "--box", "X").contains("one of --place, --at and --box"))
    #expect(try write("--to", "ben", "--at", "0,0").messages.contains("without a fix"))
    #expect(try write("--to", "ben", "--box", "Shed").messages.contains("there is no letterbox"))
    #expect(try write("--to", "ben").messages.contains("--place, --at and --box"))
  }

  @Test("a text is read from standard input, up to a letter's limit")
  func standardInput() throws {
    try scratch.write("Good morning.\n", to: "text")
    try scratch.write(String(repeating: "x", count: 3_000_000), to: "much")
    func write(_ file: String) throws -> Program.Outcome {
      try Program.shell(
        "letters add --to ben --at 52,5 --set people.address=anna --store '\(anna.path)' - "
          + "<\"$0\"", scratch.file(file))
    }
    let id = try write("text").output.dropLast()
    #expect(try anna.json("letters", "show", String(id))["text"]?.string == "Good morning.")
    let much = try write("much")
    #expect(much.exitCode == 2 && much.messages.contains("shorten it to at most 2000"), "\(much)")
  }

  @Test("a withdrawn letter cannot be read any more") func withdrawn() throws {
    let id = try anna.done("letters", "add", "--to", "ben", "--at", "52,5", "x")
    try anna.send(to: ben)
    #expect(try ben.refusal("letters", "remove", id).contains("only the sender of a letter"))
    try anna.done("letters", "remove", String(id.prefix(8)))
    #expect(try anna.refusal("letters", "remove", id).contains("is not pending any more"))
    try anna.send(to: ben)
    try ben.come(52, 5)
    #expect(try ben.list("letters").isEmpty)
    #expect(try ben.refusal("letters", "show", id).contains("has withdrawn it"))
    #expect(try anna.refusal("letters", "remove", "0000").contains("there is no letter"))
  }

  @Test("ambiguous ids of letters have to be completed") func ambiguous() throws {
    // Of 17 ids two begin with the same digit; a prefix needs at least four digits.
    let id = try anna.done("letters", "add", "--to", "ben", "--at", "52,5", "x")
    #expect(try anna.refusal("letters", "show", String(id.prefix(3))).contains("no letter"))
    let text = try #require(try anna.items().first { $0.key.kind == .outgoingLetter }).text
    let twin = String(id.prefix(4)) + (id.hasSuffix("0") ? "1" : "0").padded(id.dropFirst(4))
    let other = text.replacing(id, with: twin)
    _ = try TestSupport.run(
      "sqlite3", anna.path,
      "INSERT INTO messages (kind, name, message) VALUES ('outgoing_letter', '\(twin)', '\(other)')"
    )
    let message = try anna.refusal("letters", "show", String(id.prefix(4)))
    #expect(message.contains("2 letters are called"), "\(message)")
    #expect(try anna.json("letters", "show", id)["id"]?.string == id)
  }

  @Test("letterboxes collect letters for some people") func boxes() throws {
    let box = try anna.done("letterboxes", "add", "Shed", "--at", "52,5", "--for", "Ben,anna")
    #expect(try anna.done("letterboxes", "add", "Shed", "--at", "52,5.1", "--for", "Ben") == box)
    let shown = try #require(try anna.list("letterboxes", "list").first)
    #expect(shown["revision"]?.integer == 2 && shown["lon"]?.number == 5.1)
    #expect(shown["for"]?.array?.map(\.string) == ["ben"])
    let forCarl = try anna.refusal("letters", "add", "--to", "carl", "--box", "Shed", "x")
    #expect(forCarl.contains("carl cannot open the letterbox Shed: it is for Ben"))
    #expect(
      try anna.refusal("letters", "add", "--to", "everybody", "--box", "Shed", "x", code: 2)
        .contains("name people"))
    let id = try anna.done("letters", "add", "--to", "ben", "--box", box, "In the shed")
    try anna.send(to: ben)
    #expect(try ben.done("letterboxes", "list").contains("Shed"))
    try ben.come(52, 5.1)
    // Anna cannot open the letterbox: the answer is stored beside it.
    let answer = try ben.done("letters", "reply", id, "Thank you")
    let beside = try ben.json("letters", "show", answer)
    #expect(beside["box"] == .null && beside["lon"]?.number == 5.1)
    #expect(
      try ben.refusal("letterboxes", "remove", "Shed")
        .contains("Shed belongs to Anna: only its owner can remove it"))
    try anna.done("letterboxes", "remove", "Shed")
    #expect(try anna.list("letterboxes", "list").isEmpty)
    #expect(try anna.refusal("letterboxes", "remove", "Shed").contains("there is no letterbox"))
  }
}

extension String {
  /// This character after all of another text but its last character.
  fileprivate func padded(_ other: Substring) -> String { other.dropLast() + self }
}
