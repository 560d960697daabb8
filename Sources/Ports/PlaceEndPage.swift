import Core
import Records

/// How far the ends of places have been told, in their order.
public struct PlaceEndMark: Hashable, Sendable {
  public let time: UTCInstant
  /// Of those that end then, the last one that was told; nil: all were.
  public let uuid: String?

  public init(_ time: UTCInstant, uuid: String? = nil) {
    self.time = time
    self.uuid = uuid
  }
}

/// Places whose time has ended.
public struct PlaceEndPage: Sendable {
  public var places: [PlaceRow]
  /// When the next one's ends; nil: none does.
  public var next: UTCInstant?
  /// Behind these there are more; nil: these are all.
  public var rest: PlaceEndMark?

  public init(
    _ places: [PlaceRow] = [], next: UTCInstant? = nil, rest: PlaceEndMark? = nil
  ) {
    self.places = places
    self.next = next
    self.rest = rest
  }
}
