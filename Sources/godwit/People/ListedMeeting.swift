import Messaging
import Formats
import Core

/// A meeting in a list.
struct ListedMeeting: Sendable {
  private let record: MeetingRecord
  private let organizer: String
  private let people: String
  private let attendees: [String]
  private let isOwn: Bool
  private let zone: TimeZoneRules

  init(_ record: MeetingRecord, _ table: PeopleTable) {
    self.record = record
    organizer = table.names.text(of: record.meeting.organizer)
    people = table.names.text(of: record.meeting.invited)
    attendees = record.attendees.map(table.names.text)
    zone = table.zone
    isOwn = record.meeting.organizer == table.me
  }

  private var meeting: Meeting { record.meeting }
  private var hours: String { meeting.schedule?.words(in: zone) ?? "" }

  /// "own", "joined", "cancelled", or empty.
  private var part: String {
    if meeting.isCancelled { return "cancelled" }
    return isOwn ? "own" : record.isJoined ? "joined" : ""
  }

  static let columns = Columns<ListedMeeting>([
    .text("id", cell: .made("ID", 8) { row, _ in String(row.meeting.id.description.prefix(8)) }) {
      $0.meeting.id.description
    },
    .text("part", cell: .plain("PART", 6)) { $0.part },
    .table(.made("ORGANIZER", 9) { row, _ in row.organizer }),
    .text("organizer") { $0.meeting.organizer.description },
    .time("starts", cell: .plain("FROM", 19)) { $0.meeting.starts },
    .time("ends", cell: .plain("TO", 19)) { $0.meeting.ends },
    .text("schedule", cell: .made("HOURS", 5) { row, _ in row.hours }) {
      $0.meeting.schedule?.calendar
    },
    .number("lat", digits: 7, cell: .figure("LATITUDE", 11, digits: 5)) {
      $0.meeting.spot.latitude.value
    },
    .number("lon", digits: 7, cell: .figure("LONGITUDE", 12, digits: 5)) {
      $0.meeting.spot.longitude.value
    },
    .number("radius_m", digits: 1) {
      if case .circle(let radius) = $0.meeting.region.perimeter { radius.value } else { nil }
    },
    .table(.made("INVITED", 7) { row, _ in row.people }),
    .texts("invited") { $0.meeting.invited.addresses },
    .table(.made("COMING", 6) { row, _ in row.attendees.joined(separator: ", ") }),
    .texts("attendees") { $0.record.attendees.map(\.description) },
    .count("revision") { $0.meeting.revision },
    .text("name", cell: .plain("NAME", 4)) { $0.meeting.name },
    .text("description") { $0.meeting.description },
  ])

  /// For people.
  var page: String {
    var page = TextPage(names: 11)
    let lines: [(String, [String?])] = [
      ("name", [meeting.name]), ("id", ["\(meeting.id), revision \(meeting.revision)"]),
      ("organizer", [organizer, meeting.isCancelled ? "cancelled" : nil]),
      ("where", position + [radius]),
      ("from", [LocalTime.text(meeting.starts)]), ("to", [LocalTime.text(meeting.ends)]),
      ("hours", [meeting.schedule == nil ? nil : hours]), ("invited", [people]),
      ("coming", record.isJoined ? ["you"] : attendees),
    ]
    for (name, parts) in lines { page.add(name, parts.map { $0.map(TerminalText.line) }) }
    let text = meeting.description.split(whereSeparator: \.isNewline)
    page.add("description", lines: text.map { TerminalText.line(String($0)) })
    return page.text
  }

  private var position: [String] {
    [meeting.spot.latitude, meeting.spot.longitude].map {
      FixedDecimal.text($0.value, digits: 5)
    }
  }
  private var radius: String? {
    guard case .circle(let radius) = meeting.region.perimeter else { return nil }
    return "found within \(radius.inWords)"
  }
}
