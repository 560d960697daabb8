/// When a place is open within its lifetime, as the text of an iCalendar object (RFC 5545).
///
/// The text is stored unchanged; only its length is limited.
public struct PlaceSchedule: Hashable, Sendable {
  public let iCalendar: String

  public init(iCalendar: String) { self.iCalendar = iCalendar }
}
