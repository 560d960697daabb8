/// How to reach a receiver that gpsd holds.
public struct GpsdSettings: Hashable, Sendable {
  /// A name or an address; usually this board itself.
  public var host: String
  public var port: UInt16
  /// The device as gpsd knows it, when it serves several. Nil: the only one it serves.
  public var device: String?
  /// The socket by which devices are given to gpsd and taken from it; nil: it is not used. It is
  /// only ever used for a gpsd on this board.
  public var control: String?
  /// Whether gpsd shall not hold the device while this port is closed: somebody cuts the receiver's
  /// power then. Where nobody does, gpsd and its other users keep the device.
  public var givesBack: Bool

  public init(
    host: String = "localhost", port: UInt16 = 2947, device: String? = nil, control: String? = nil,
    givesBack: Bool = false
  ) {
    self.host = host
    self.port = port
    self.device = device
    self.control = control
    self.givesBack = givesBack
  }

  /// Whether gpsd runs on this board, so that its control socket is that of `control`.
  var isLocal: Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }
}
