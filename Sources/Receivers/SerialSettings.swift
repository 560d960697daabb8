/// How to reach a receiver on a serial line.
public struct SerialSettings: Hashable, Sendable {
  /// Usually the symbolic link that udev makes, so that renumbering does not matter.
  public var path: String
  /// One of `SerialSpeed.all`. Nil: try them until sentences with good checksums arrive.
  public var baud: Int?

  public init(path: String, baud: Int? = nil) {
    self.path = path
    self.baud = baud
  }
}
