/// How to reach a receiver that gpsd holds.
public struct GpsdSettings: Hashable, Sendable {
  /// A name or an address; usually this board itself.
  public var host: String
  public var port: UInt16
  /// The device as gpsd knows it, when it serves several. Nil: whatever it serves.
  public var device: String?

  public init(host: String = "localhost", port: UInt16 = 2947, device: String? = nil) {
    self.host = host
    self.port = port
    self.device = device
  }
}
