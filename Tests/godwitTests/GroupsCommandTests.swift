import Core
import TestSupport
import Testing

@testable import godwit

/// `godwit groups`: between a guide and a follower.
@Suite struct GroupsCommandTests {
  private let scratch: ScratchFolder
  private let anna: PersonsStore
  private let ben: PersonsStore

  init() throws {
    scratch = try ScratchFolder()
    anna = try PersonsStore("anna", in: scratch)
    ben = try PersonsStore("ben", in: scratch)
    try anna.done("contacts", "add", "Ben", "ben")
  }

  @Test("a group is made, joined, watched, left and ended") func life() throws {
    let id = try anna.done(
      "groups", "add", "Trip", "--range", "200", "--for", "Ben", "--ends", "2099-01-01",
      "--ask-every", "60", "--oldest", "300", "--description", "To the museum")
    let made = try #require(try anna.list("groups").first)
    #expect(made["part"]?.string == "guide" && made["range_m"]?.number == 200)
    #expect(made["ask_every_s"]?.number == 60 && made["oldest_s"]?.number == 300)
    try anna.send(to: ben)
    #expect(try ben.list("groups").first?["part"]?.string == "")
    try ben.done("groups", "join", "trip")
    #expect(try ben.list("groups").first?["part"]?.string == "member")
    try ben.send(to: anna)
    #expect(try anna.done("groups", "show", "Trip").contains("not known yet"))
    try anna.come(52, 5)
    try anna.send(to: ben)
    // His board has no receiver; a script supplies his position.
    #expect(try ben.refusal("groups", "position", "Trip", "--at", "0,0").contains("0, 0"))
    try ben.done("groups", "position", "Trip", "--at", "52.01,5")
    try ben.send(to: anna)
    let shown = try anna.json("groups", "show", String(id.prefix(4)))
    let members = try #require(shown["members"]?.array)
    #expect(members.map { $0["person"]?.string } == ["anna", "ben"])
    #expect(members[0]["states"]?.array?.map(\.string) == ["guide"])
    #expect(members[1]["states"]?.array?.map(\.string) == ["outside"])
    #expect(abs((members[1]["distance_m"]?.number ?? 0) - 1112) < 2)
    #expect((members[1]["age_s"]?.number ?? 999) < 60)
    let page = try anna.done("groups", "show", "Trip")
    #expect(page.contains("description  To the museum") && page.contains("outside"))

    try anna.done("groups", "edit", "Trip", "--range", "2000", "--name", "Tour", "--endless")
    let changed = try #require(try anna.list("groups").first)
    #expect(changed["name"]?.string == "Tour" && changed["revision"]?.integer == 2)
    #expect(changed["ends"] == .null && changed["description"]?.string == "To the museum")
    try anna.send(to: ben)
    try ben.done("groups", "leave", "Tour")
    #expect(try ben.refusal("groups", "leave", "Tour").contains("have not joined"))
    #expect(
      try ben.refusal("groups", "position", "Tour", "--at", "52,5").contains("have not joined"))
    try anna.done("groups", "remove", "Tour")
    #expect(try anna.list("groups").isEmpty)
    try anna.send(to: ben)
    #expect(try ben.list("groups").isEmpty)
  }

  @Test("its hours are given, shown everywhere, and removed") func hours() throws {
    try anna.done(
      "groups", "add", "Class", "--range", "200", "--for", "ben", "--between", "8:00-12:00",
      "--on", "mo,tu,fr")
    try anna.send(to: ben)
    for board in [anna, ben] {
      #expect(try board.done("groups", "show", "Class").contains("Mon,Tue,Fri 08:00-12:00\n"))
      #expect(
        try board.list("groups").first?["schedule"]?.string?.contains("RRULE:FREQ=WEEKLY") == true)
    }
    #expect(
      try anna.refusal("groups", "edit", "Class", "--always", "--on", "mo", code: 2)
        .contains("use only one of --always and"))
    try anna.done("groups", "edit", "Class", "--always")
    #expect(try anna.done("groups", "show", "Class").contains("always\n"))
    #expect(
      try anna.refusal("groups", "edit", "Class", "--schedule", "weekly", code: 2)
        .contains("schedule: it has the malformed"))
  }

  @Test("invalid changes give a reason, and change nothing") func refusals() throws {
    try anna.done("groups", "add", "Trip", "--range", "200", "--for", "ben")
    try anna.send(to: ben)
    func create(_ options: String...) throws -> String {
      let outcome = try anna.run(["groups", "add", "X"] + options)
      #expect(outcome.exitCode != 0 && outcome.output.isEmpty, "\(outcome)")
      return outcome.messages
    }
    #expect(try create("--range", "2").contains("is not a valid range"))
    #expect(try create("--range", "nan").contains("range"))
    #expect(try create("--range", "100", "--ends", "2021-01-01").contains("--ends is in the past"))
    #expect(try create("--range", "100", "--for", "Berta").contains("no contact is called"))
    #expect(try create("--range", "100", "--for", ",").contains("name at least one person"))
    #expect(
      try create("--range", "100", "--ask-every", "600").contains("before they are requested"))
    #expect(try anna.refusal("groups", "edit", "Trip", code: 2).contains("no option changes"))
    #expect(
      try ben.refusal("groups", "edit", "Trip", "--range", "300").contains(
        "only its guide can change it"))
    #expect(try ben.refusal("groups", "remove", "Trip").contains("guided by anna"))
    #expect(try anna.refusal("groups", "join", "Trip").contains("Trip is yours: you are a member"))
    #expect(
      try anna.refusal("groups", "leave", "Trip")
        .contains("Trip is yours: end it with `godwit groups remove`"))
    #expect(
      try anna.refusal("groups", "add", "trip", "--range", "200")
        .contains("you guide a group trip already"))
    try anna.done("groups", "add", "Walk", "--range", "200")
    #expect(
      try anna.refusal("groups", "edit", "Walk", "--name", "Trip").contains("choose another name"))
    try anna.done("groups", "edit", "Trip", "--name", "trip")
    #expect(try ben.refusal("groups", "leave", "Trip").contains("have not joined"))
    #expect(try ben.refusal("groups", "show", "abcd").contains("there is no group"))
    try ben.done("groups", "add", "Trip", "--range", "200", "--for", "anna")
    #expect(try ben.refusal("groups", "show", "Trip").contains("2 groups are called"))
  }

  @Test("without a broker a warning says that the group is not published") func alone() throws {
    let carl = try PersonsStore("carl", in: scratch, broker: false)
    let made = try carl.run(["groups", "add", "Trip", "--range", "200"])
    #expect(made.exitCode == 0 && made.messages.contains("brokers in the section [uplink.mqtt]"))
  }
}
