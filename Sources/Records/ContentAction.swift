import Core

/// An action on a content of a place: the content was shown on entering, or a person acted on it
/// (LYU1402, 5.5.5: the action log).
public struct ContentAction: Hashable, Sendable {
  public enum Kind: String, StoredWord {
    case shown
    case viewed
    case saved
    case deleted
    case ranked
    case commented
    case calendar

    public var meaning: String {
      switch self {
      case .shown: "It was chosen when the board entered the place."
      case .viewed: "The user viewed it."
      case .saved: "It was saved for later."
      case .deleted: "It was removed from the saved ones."
      case .ranked: "It was ranked 1 to 5; see detail."
      case .commented: "It got a comment; see detail."
      case .calendar: "It was written as a calendar event."
      }
    }
  }

  public var time: UTCInstant
  public var kind: Kind
  /// The content's UUID in canonical form.
  public var contentID: String
  /// The content's title at that time.
  public var title: String
  /// The place that caused it to be shown, or that has the content.
  public var placeUUID: String
  /// The arrival at which it was shown; nil if no arrival was the cause.
  public var crossing: Int64?
  /// The rank, or the comment.
  public var detail: String?

  public init(
    _ kind: Kind, at time: UTCInstant, content: (id: String, title: String), place: String,
    crossing: Int64? = nil, detail: String? = nil
  ) {
    self.kind = kind
    self.time = time
    contentID = content.id
    title = content.title
    placeUUID = place
    self.crossing = crossing
    self.detail = detail
  }
}

extension ContentAction: StoredRecord {
  public static let table = RecordTable<Self>(
    "content_actions", "What was done with contents of places", key: .counted, time: "time",
    // Statements by a person stay, because they apply until they are revoked.
    expiry: "action IN ('shown', 'viewed')",
    columns: [
      .time("time", "Time of the action.") { $0.time },
      .text("place_id", "UUID of the place.") { $0.placeUUID },
      .text("content_id", "UUID of the content.") { $0.contentID },
      .text("title", "Title of the content at that time.") { $0.title },
      .word("action", "Kind of the action.") { $0.kind },
      .optionalText("detail", "The rank, or the text of the comment.") { $0.detail },
      .optionalInteger("crossing_id", "Arrival at which it was shown; empty: none.") {
        $0.crossing
      },
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      try row.word("action"), at: try row.time("time"),
      content: (try row.text("content_id"), try row.text("title")),
      place: try row.text("place_id"), crossing: try row.optionalInteger("crossing_id"),
      detail: try row.optionalText("detail"))
  }

  public var record: Record { .contentAction(self) }
  public var lastChange: UTCInstant? { time }
  public var isUrgent: Bool { true }

  public func renumbered(by shift: Renumbering) -> ContentAction {
    var action = self
    action.crossing = crossing.map { $0 + shift.occurrences }
    return action
  }
}
