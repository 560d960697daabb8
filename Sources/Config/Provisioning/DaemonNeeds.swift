/// What the system has to do for the daemon with the settings that it gets.
public struct DaemonNeeds: Equatable, Sendable {
  /// Nil: it has none of its own.
  public var deviceName: String?
  /// Whether it takes its positions from a gpsd on this board.
  public var hasLocalGpsd = false
  /// The receiver's device as that gpsd is to know it.
  public var gpsdDevice: String?
  /// The settings because of which it needs the network: `lookup.url`.
  public var networkUsers: [String] = []

  public init() {}
}
