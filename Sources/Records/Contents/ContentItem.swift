import Core

/// Content to be shown at places. People rate their interest by its type (LYU1402, 5.4: an "ad").
public struct ContentItem: Hashable, Sendable {
  /// The time and place of an event, for a calendar.
  public struct Happening: Hashable, Sendable {
    public var start: UTCInstant
    /// Not before the start.
    public var end: UTCInstant
    public var venue: String?

    func isOver(at date: UTCInstant) -> Bool { end <= date }

    /// Nil if it would end before it begins.
    public init?(from start: UTCInstant, until end: UTCInstant, venue: String? = nil) {
      guard end >= start else { return nil }
      self.start = start
      self.end = end
      self.venue = venue
    }
  }

  /// The same everywhere: at other places, and on other boards.
  public let id: UniqueID
  public var title: String
  /// A word of the author: "talk", "sale". Empty: none, so that no interest applies.
  public var type: String
  public var text: String?
  /// RFC 3986.
  public var uri: String?
  public var happening: Happening?

  public init(id: UniqueID, title: String, type: String = "") {
    self.id = id
    self.title = title
    self.type = type
  }
}
