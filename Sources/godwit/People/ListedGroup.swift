import Messaging
import Formats
import Core

/// A group in a list.
struct ListedGroup: Sendable {
  let state: GroupState
  private let guide: String
  private let people: String
  /// "guide", "member", or empty.
  private let part: String
  private let zone: TimeZoneRules

  init(_ state: GroupState, _ table: PeopleTable) {
    self.state = state
    guide = table.names.text(of: state.group.guide)
    people = table.names.text(of: state.group.allowed)
    zone = table.zone
    if state.group.guide == table.me {
      part = "guide"
    } else {
      part = table.messaging.isInGroup(state.group.id) ? "member" : ""
    }
  }

  private var group: Group { state.group }

  static let columns = Columns<ListedGroup>([
    .text("id", cell: .made("ID", 8) { row, _ in String(row.group.id.description.prefix(8)) }) {
      $0.group.id.description
    },
    .text("part", cell: .plain("PART", 6)) { $0.part },
    .table(.made("GUIDE", 5) { row, _ in row.guide }),
    .text("guide") { $0.group.guide.description },
    .flag("guide_silent") { $0.state.isGuideSilent },
    .number("range_m", digits: 1, cell: .made("RANGE", 5, .right) { row, _ in row.range }) {
      $0.group.range.value
    },
    .count("members", cell: .plain("MEMBERS", 7, .right)) { $0.state.members.count },
    .table(.made("FOR", 3) { row, _ in row.people }),
    .texts("for") { $0.group.allowed.addresses },
    .time("ends", cell: .plain("ENDS", 4)) { $0.group.ends },
    .text("schedule") { $0.group.schedule?.calendar },
    .number("ask_every_s", digits: 1) { $0.group.pause.value },
    .number("oldest_s", digits: 1) { $0.group.oldest.value },
    .count("revision") { $0.group.revision },
    .text("name", cell: .plain("NAME", 4)) { $0.group.name },
    .text("description") { $0.group.description },
  ])

  private var range: String { group.range.inWords }

  /// For people.
  var page: String {
    var page = TextPage(names: 11)
    let lines: [(String, [String?])] = [
      ("name", [group.name]), ("id", ["\(group.id), revision \(group.revision)"]),
      ("guide", [guide, state.isGuideSilent ? "the guide sends no position" : nil]),
      ("range", [range]), ("for", [people]),
      ("ends", [group.ends.map(LocalTime.text) ?? "when the guide ends it"]),
      ("hours", [group.schedule?.words(in: zone) ?? "always"]),
      (
        "positions",
        [
          "requested every \(group.pause.inWords)", "too old after \(group.oldest.inWords)",
        ]
      ),
    ]
    for (name, parts) in lines { page.add(name, parts.map { $0.map(TerminalText.line) }) }
    let text = group.description.split(whereSeparator: \.isNewline)
    page.add("description", lines: text.map { TerminalText.line(String($0)) })
    return page.text
  }
}

/// A member of a group in a list: the guide first, then the members.
struct ListedMember: Sendable {
  private let person: PersonAddress
  private let name: String
  private let last: GroupPosition?
  private let age: Seconds?
  /// Nil for the guide, and where one of the two positions is unknown.
  private let distance: Metres?
  /// "guide", "outside", "unheard"
  private let states: [String]

  private init(
    _ person: PersonAddress, _ last: GroupPosition?, from guide: GroupPosition?,
    _ states: [String], _ table: PeopleTable
  ) {
    self.person = person
    name = table.names.text(of: person)
    self.last = last
    self.states = states
    age = last.flatMap { last in table.date.map { max($0 - last.time, 0) } }
    distance = guide.flatMap { guide in
      last.map { Sphere.distance(guide.position, $0.position) }
    }
  }

  static func all(of state: GroupState, _ table: PeopleTable) -> [ListedMember] {
    let guide = ListedMember(
      state.group.guide, state.guidePosition, from: nil,
      ["guide"] + (state.isGuideSilent ? ["unheard"] : []), table)
    return [guide]
      + state.members.map { person, member in
        let states =
          (member.isOutside ? ["outside"] : []) + (member.isMissing ? ["unheard"] : [])
        return ListedMember(person, member.last, from: state.guidePosition, states, table)
      }
  }

  /// Without both positions, the state is unknown.
  private var state: String {
    if states.isEmpty, distance == nil { return "not known yet" }
    return states.joined(separator: ", ")
  }

  static let columns = Columns<ListedMember>([
    .table(.made("PERSON", 6) { row, _ in row.name }),
    .text("person") { $0.person.description },
    .texts("states", cell: .made("STATE", 5) { row, _ in row.state }) { $0.states },
    .number(
      "distance_m", digits: 1,
      cell: .made("FROM GUIDE", 10, .right) { row, _ in row.distance?.inWords ?? "" }
    ) { $0.distance?.value },
    .time("time") { $0.last?.time },
    .number(
      "age_s", digits: 0,
      cell: .made("LAST SEEN", 10, .right) { row, _ in row.age.map { "\($0.inWords) ago" } ?? "" }
    ) { $0.age?.value },
    .number("lat", digits: 7) { $0.last?.position.latitude.value },
    .number("lon", digits: 7) { $0.last?.position.longitude.value },
    .number("accuracy_m", digits: 1) { $0.last?.accuracy.value },
  ])
}
