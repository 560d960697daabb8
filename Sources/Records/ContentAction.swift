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
      case .viewed: "Somebody has looked at it."
      case .saved: "It was kept to be looked at later."
      case .deleted: "It is no longer kept for later."
      case .ranked: "It was given 1 to 5, which detail has."
      case .commented: "Somebody has said something about it, which detail has."
      case .calendar: "It was written as an event for a calendar."
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
      .time("time", "When it was done.") { $0.time },
      .text("place_id", "The UUID of the place.") { $0.placeUUID },
      .text("content_id", "The UUID of the content.") { $0.contentID },
      .text("title", "What it was called then.") { $0.title },
      .word("action", "What was done.") { $0.kind },
      .optionalText("detail", "The rank that was given, or what was said.") { $0.detail },
      .optionalInteger("crossing_id", "The arrival at which it was shown; empty: at none.") {
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
