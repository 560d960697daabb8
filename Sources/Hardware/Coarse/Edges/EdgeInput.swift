import Ports

/// A source of interrupts: a line's edges, an accelerometer's events, the kernel's messages about a
/// supply. Events wait in a bounded queue in the kernel.
protocol EdgeInput: AnyObject {
  /// Ready while an event is queued, or when the device is gone. Not to be used while disabled.
  var descriptor: Int32 { get }
  /// Reads the queued events, a few at once, and never blocks.
  /// - Returns: how many; 0: none.
  func readEvents() throws(PortError) -> Int
  /// Disables the interrupt, as far as the device supports that.
  func disable() throws(PortError)
  /// Enables the interrupt again. Earlier events do not count.
  func enable() throws(PortError)
}

/// An input that also has a lasting state.
protocol LevelInput: EdgeInput {
  func isActive() throws(PortError) -> Bool
}
