import Records
import Formats
import Core
import Places

/// A content in a list: its place, and its use.
struct ListedContent: Sendable {
  let item: ContentItem
  /// Nil: no place has it any more.
  let mediaType: String?
  /// The place that has it, or had it at its last use.
  let placeID: String
  /// Nil: the place no longer exists.
  let place: Place?
  var tally: ContentCounts
  /// The score by which it is chosen; nil: no place has it.
  var score: Int?
  /// How many comments it has.
  var comments: Int

  /// Whether a place has it.
  var isThere: Bool { mediaType != nil }

  private var happening: ContentItem.Happening? { item.happening }
  private var when: String? { happening?.words }

  static let columns = Columns<ListedContent>([
    .text("id", cell: .made("ID", 8) { row, _ in String(row.item.id.description.prefix(8)) }) {
      $0.item.id.description
    },
    .text("place_id") { $0.placeID },
    .text("place", cell: .plain("PLACE", 8)) { $0.place?.name },
    .text("type", cell: .plain("TYPE", 4)) { $0.item.type },
    .count("score", cell: .plain("SCORE", 5, .right)) { $0.score },
    .count("shown", cell: .plain("SHOWN", 5, .right)) { $0.tally.shown },
    .count("viewed", cell: .plain("VIEWED", 6, .right)) { $0.tally.viewed },
    .count("added_to_calendar", cell: .plain("CALENDAR", 8, .right)) { $0.tally.addedToCalendar },
    .count("rank", cell: .plain("RANK", 4, .right)) { $0.tally.rank },
    .flag("saved", cell: .made("SAVED", 5) { row, _ in row.tally.isSaved ? "saved" : "" }) {
      $0.tally.isSaved
    },
    .count("comments") { $0.comments },
    .text("title", cell: .plain("TITLE", 5)) { $0.item.title },
    .text("media_type") { $0.mediaType },
    .text("uri") { $0.item.uri },
    .text("text") { $0.item.text },
    .time("start", cell: .made("WHEN", 4) { row, _ in row.when ?? "" }) { $0.happening?.start },
    .time("end") { $0.happening?.end },
    .text("venue") { $0.happening?.venue },
  ])

  var json: String {
    var writer = JSONWriter()
    Self.columns.append(self, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// For people.
  var page: String {
    var page = TextPage(names: 8)
    let lines: [(String, String?)] = [
      ("title", item.title), ("place", place?.name), ("type", item.type), ("when", when),
      ("venue", happening?.venue), ("address", item.uri),
      ("rank", tally.rank.map { "\($0)" }), ("id", item.id.description),
    ]
    for (name, text) in lines {
      page.add(name, text.flatMap { $0.isEmpty ? nil : TerminalText.line($0) })
    }
    let text = item.text?.split(whereSeparator: \.isNewline) ?? []
    page.add("text", lines: text.map { TerminalText.line(String($0)) })
    return page.text
  }
}

extension ContentItem.Happening {
  /// To the minute, in this machine's time zone.
  var words: String {
    let style = TableStyle(time: LocalTime.text)
    return "\(style.minute(start)) to \(style.minute(end))"
  }
}
