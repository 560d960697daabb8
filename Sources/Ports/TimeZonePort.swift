import Core

/// The time zones of this board.
public protocol TimeZonePort: AnyObject {
  /// The board's own zone.
  var local: TimeZoneRules { get }
  /// - Parameter name: a name of the time zone database: `Europe/Berlin`.
  func zone(named name: String) -> TimeZoneRules?
}

/// For boards and tests without time zones: UTC only.
public final class UTCTimeZones: TimeZonePort {
  public let local = TimeZoneRules.utc

  public init() {}

  public func zone(named name: String) -> TimeZoneRules? { name == local.name ? local : nil }
}
