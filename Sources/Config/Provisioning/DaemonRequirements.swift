/// The requirements of the daemon, with its settings, on the system.
public struct DaemonRequirements: Equatable, Sendable {
  /// Nil: not set.
  public var deviceName: String?
  /// Whether it receives positions from a gpsd on this board.
  public var hasLocalGpsd = false
  /// The receiver's device for that gpsd.
  public var gpsdDevice: String?
  /// The settings that require the network: `lookup.url`.
  public var networkUsers: [String] = []

  public init() {}
}
