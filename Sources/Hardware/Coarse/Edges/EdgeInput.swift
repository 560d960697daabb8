import Ports

/// Something that interrupts when a thing happens: a line's edges, an accelerometer's events, the
/// kernel's messages about a supply. What has happened waits in a bounded queue of the kernel's.
protocol EdgeInput: AnyObject {
  /// Ready while something waits, or when the device is gone. Not to be used while it rests.
  var descriptor: Int32 { get }
  /// Takes what waits, a few at once, and never waits itself.
  /// - Returns: how many; 0: none.
  func take() throws(PortError) -> Int
  /// From here on it interrupts nobody, as far as the device can be told so.
  func rest() throws(PortError)
  /// It interrupts again. What came before does not count.
  func listen() throws(PortError)
}

/// One that also has a state that lasts.
protocol LevelInput: EdgeInput {
  func isActive() throws(PortError) -> Bool
}
