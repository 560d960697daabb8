import Core
import Records

/// How far the ends of places have been reported, in order of time.
public struct PlaceEndMark: Hashable, Sendable {
  public let time: UTCInstant
  /// The last reported place of those that end at this time; nil: all were reported.
  public let uuid: String?

  public init(_ time: UTCInstant, uuid: String? = nil) {
    self.time = time
    self.uuid = uuid
  }
}

/// Places whose period of validity has ended.
public struct PlaceEndPage: Sendable {
  public var places: [PlaceRow]
  /// When the next place ends; nil: none does.
  public var next: UTCInstant?
  /// Where to continue, if there are more; nil: the page is the last one.
  public var rest: PlaceEndMark?

  public init(
    _ places: [PlaceRow] = [], next: UTCInstant? = nil, rest: PlaceEndMark? = nil
  ) {
    self.places = places
    self.next = next
    self.rest = rest
  }
}
