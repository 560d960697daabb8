import TestSupport
import Testing

/// A letterbox that others put letters into and only its owner opens.
@Suite struct OwnLetterboxTests {
  private let scratch: ScratchFolder
  private let anna: PersonsStore
  private let ben: PersonsStore
  private let carl: PersonsStore

  init() throws {
    scratch = try ScratchFolder()
    anna = try PersonsStore("anna", in: scratch)
    ben = try PersonsStore("ben", in: scratch)
    carl = try PersonsStore("carl", in: scratch)
    for (name, address) in [("Ben", "ben"), ("Carl", "carl")] {
      try anna.done("contacts", "add", name, address)
    }
    for other in [ben, carl] { try other.done("contacts", "add", "Anna", "anna") }
  }

  @Test("contributors see the box and do not open it; others do not see it")
  func own() throws {
    try anna.done(
      "letterboxes", "add", "Home", "--at", "52,5", "--for", "anna", "--from", "Ben")
    try anna.send(to: ben, carl)
    #expect(try ben.list("letterboxes", "list").map { $0["name"]?.string } == ["Home"])
    #expect(try ben.list("letterboxes", "list").first?["for"]?.array?.map(\.string) == ["anna"])
    #expect(try ben.list("letterboxes", "list").first?["from"]?.array?.map(\.string) == ["ben"])
    #expect(try carl.list("letterboxes", "list").isEmpty)
    let letter = try ben.done(
      "letters", "add", "--to", "Anna", "--box", "Home", "I was here")
    try ben.come(52, 5)
    try ben.send(to: anna)
    try anna.come(52, 5)
    #expect(try anna.done("letters", "show", letter).contains("I was here"))
    let closed = try anna.refusal("letters", "add", "--to", "Ben", "--box", "Home", "Hello")
    #expect(closed.contains("cannot open the letterbox Home"))
  }

  @Test(
    "a person who may only open a box cannot put letters in, and such letters are refused")
  func opening() throws {
    try anna.done(
      "letterboxes", "add", "Home", "--at", "52,5", "--for", "anna,Carl", "--from", "Ben")
    try anna.send(to: ben, carl)
    let refused = try carl.refusal("letters", "add", "--to", "Anna", "--box", "Home", "Hello")
    #expect(refused.contains("it accepts letters from"), "\(refused)")
    // Before the second list arrived.
    try anna.done("letterboxes", "add", "Home", "--at", "52,5", "--for", "anna,Carl")
    try anna.send(to: carl)
    try carl.done("letters", "add", "--to", "Anna", "--box", "Home", "Hello")
    try anna.done(
      "letterboxes", "add", "Home", "--at", "52,5", "--for", "anna,Carl", "--from", "Ben")
    try carl.send(to: anna)
    try anna.come(52, 5)
    let letters = try anna.list("letters", "list", "--all")
    #expect(letters.map { $0["state"]?.string } == ["refused"], "\(letters)")
  }
}
