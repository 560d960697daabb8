import Core

/// What local times mean on this board.
public protocol TimeZonePort: AnyObject {
  /// The board's own zone.
  var local: TimeZoneRules { get }
  /// - Parameter name: as the time zone database has it: `Europe/Berlin`.
  func zone(named name: String) -> TimeZoneRules?
}

/// For boards and tests without a time zone: UTC, and no other.
public final class WorldTime: TimeZonePort {
  public let local = TimeZoneRules.utc

  public init() {}

  public func zone(named name: String) -> TimeZoneRules? { name == local.name ? local : nil }
}
