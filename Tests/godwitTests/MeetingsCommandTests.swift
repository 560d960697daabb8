import Core
import TestSupport
import Testing

@testable import godwit

/// `godwit meetings`: between an organiser and a participant.
@Suite struct MeetingsCommandTests {
  private let scratch: ScratchFolder
  private let anna: PersonsStore
  private let ben: PersonsStore

  init() throws {
    scratch = try ScratchFolder()
    anna = try PersonsStore("anna", in: scratch)
    ben = try PersonsStore("ben", in: scratch)
    try anna.done("contacts", "add", "Ben", "ben")
  }

  private func hold(_ name: String, _ options: String...) throws -> String {
    let made = try anna.run(
      ["meetings", "add", name, "--from", "2021-01-01", "--to", "2099-01-01"] + options)
    #expect(made.exitCode == 0, "\(made)")
    return String(made.output.dropLast())
  }

  @Test("a meeting is held, found nearby, joined, changed and cancelled") func life() throws {
    let id = try hold(
      "Picnic", "--at", "52,5", "--radius", "500", "--invite", "Ben", "--description", "Bread")
    let own = try #require(try anna.list("meetings").first)
    #expect(own["part"]?.string == "own" && own["invited"]?.array?.map(\.string) == ["ben"])
    #expect(own["radius_m"]?.number == 500 && own["description"]?.string == "Bread")
    try anna.send(to: ben)
    // Not even the existence of the meeting is disclosed.
    #expect(try ben.list("meetings").isEmpty)
    #expect(try ben.refusal("meetings", "join", id).contains("there is no meeting"))
    try ben.come(52.003, 5)
    #expect(try ben.list("meetings").first?["id"]?.string == id)
    let way = try ben.done("meetings", "navigate", "picnic", "--at", "52.003,5")
    #expect(way == "↓ south (180°), 334 m to Picnic, from the specified position", "\(way)")
    try ben.done("meetings", "join", String(id.prefix(4)))
    #expect(try ben.refusal("meetings", "join", id).contains("have joined"))
    try ben.send(to: anna)
    #expect(try anna.list("meetings").first?["attendees"]?.array?.map(\.string) == ["ben"])

    try anna.done("meetings", "edit", "Picnic", "--at", "52,5.001", "--name", "Lunch")
    let moved = try #require(try anna.list("meetings").first)
    #expect(moved["lon"]?.number == 5.001 && moved["radius_m"]?.number == 500)
    #expect(moved["name"]?.string == "Lunch" && moved["revision"]?.integer == 2)
    try anna.send(to: ben)
    #expect(try ben.list("meetings").first?["name"]?.string == "Lunch")
    try ben.done("meetings", "leave", "Lunch")
    #expect(try ben.refusal("meetings", "leave", "Lunch").contains("you have not joined it"))
    try anna.done("meetings", "remove", "Lunch")
    try anna.send(to: ben)
    #expect(try ben.list("meetings").isEmpty)
  }

  @Test("at a place with an outline it is found there, at others within a kilometre")
  func places() throws {
    try anna.importMuseumAndPark(scratch)
    _ = try hold("A", "--place", "Museum")
    _ = try hold("B", "--place", "Park")
    _ = try hold("C", "--place", "Park", "--radius", "50")
    let radii = try anna.list("meetings").sorted {
      ($0["name"]?.string ?? "") < ($1["name"]?.string ?? "")
    }.map { $0["radius_m"]?.number }
    #expect(radii == [1000, nil, 50])
  }

  @Test("a weekly meeting shows its days, and can be made a single one") func weekly() throws {
    _ = try hold("Club", "--at", "52,5", "--between", "19:00-22:00", "--on", "fr")
    #expect(try anna.done("meetings").contains(" Fri 19:00-22:00 "))
    let page = try anna.done("meetings", "show", "club")
    #expect(page.contains("\nhours        Fri 19:00-22:00\n") && page.contains("\ninvited "))
    let made = try #require(try anna.list("meetings").first)
    #expect(try anna.json("meetings", "show", "Club") == made)
    #expect(made["schedule"]?.string?.contains("DURATION:PT3H") == true)
    #expect(
      try anna.refusal(
        "meetings", "edit", "Club", "--from", "2030-01-01", "--to", "2030-01-03", code: 2
      ).contains("it never takes place"))
    try anna.done("meetings", "edit", "Club", "--between", "20:00-22:00")
    #expect(try anna.done("meetings").contains(" daily 20:00-22:00 "))
    try anna.done("meetings", "edit", "Club", "--always")
    #expect(try anna.list("meetings").first?["schedule"] == .null)
  }

  @Test("invalid changes give a reason, and change nothing") func refusals() throws {
    func failure(_ from: String, _ to: String, _ more: String...) throws -> String {
      let outcome = try anna.run(["meetings", "add", "X", "--from", from, "--to", to] + more)
      #expect(outcome.exitCode != 0 && outcome.output.isEmpty, "\(outcome)")
      #expect(try anna.list("meetings").isEmpty)
      return outcome.messages
    }
    #expect(try failure("2030-01-01", "2031-01-01").contains("--place and --at"))
    let at = ["--at", "52,5"]
    #expect(try failure("2031-01-01", "2030-01-01", at[0], at[1]).contains("ends before it begins"))
    #expect(try failure("2021-01-01", "2022-01-01", at[0], at[1]).contains("--to is in the past"))
    #expect(try failure("soon", "2022-01-01", at[0], at[1]).contains("soon"))
    #expect(
      try failure("2030-01-01", "2031-01-01", at[0], at[1], "--radius", "1").contains("radius"))
    #expect(
      try failure("2030-01-01", "2031-01-01", at[0], at[1], "--invite", "Berta")
        .contains("no contact is called"))
    #expect(
      try failure("2030-01-01", "2031-01-01", "--place", "X").contains("there is no place"))
    _ = try hold("Picnic", "--at", "52,5", "--invite", "ben")
    #expect(try anna.refusal("meetings", "edit", "Picnic", code: 2).contains("no option changes"))
    #expect(try anna.refusal("meetings", "join", "Picnic").contains("is yours"))
    #expect(try anna.refusal("meetings", "remove", "Other").contains("there is no meeting"))
    #expect(try anna.refusal("meetings", "navigate", "Picnic").contains("position is unknown"))
    try anna.send(to: ben)
    try ben.come(52, 5)
    #expect(try ben.refusal("meetings", "remove", "Picnic").contains("organized by anna"))
  }
}
