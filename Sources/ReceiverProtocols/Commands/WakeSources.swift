/// What ends a receiver's sleep.
public struct WakeSources: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Bytes on its serial input.
  public static let bytes = WakeSources(rawValue: 1)
  /// A line of its own: EXTINT (u-blox), FORCE_ON or WAKEUP (MTK, Airoha).
  public static let line = WakeSources(rawValue: 2)
  /// Its own clock, after the time that the sleep command named.
  public static let timer = WakeSources(rawValue: 4)
}
