import Formats
import Records

/// A line of the log of the use of contents.
struct LoggedContentAction: Sendable {
  let action: ContentAction
  /// Nil: the place no longer exists.
  let place: String?

  static let columns = Columns<LoggedContentAction>([
    .time("time", cell: .plain("TIME", 19)) { $0.action.time },
    .text("action", cell: .plain("ACTION", 9)) { $0.action.kind.rawValue },
    .text(
      "content_id",
      cell: .made("CONTENT", 8) { row, _ in String(row.action.contentID.prefix(8)) }
    ) { $0.action.contentID },
    .text("place_id") { $0.action.placeUUID },
    .text("place", cell: .plain("PLACE", 8)) { $0.place },
    .count("crossing_id") { $0.action.crossing.map { Int($0) } },
    .text("title", cell: .plain("TITLE", 5)) { $0.action.title },
    .text("detail", cell: .plain("DETAIL", 6)) { $0.action.detail },
  ])
}
