import CSystemd

/// A match rule on the bus. It is removed when this object is released.
final class SignalWatch {
  let tag: Int
  private unowned let connection: BusConnection
  private var slot: OpaquePointer?

  init(_ connection: BusConnection, tag: Int) {
    self.connection = connection
    self.tag = tag
  }

  deinit { sd_bus_slot_unref(slot) }

  /// - Returns: negative for an error.
  func start(_ rule: String, on bus: OpaquePointer) -> Int32 {
    sd_bus_add_match_async(
      bus, &slot, rule,
      { message, context, _ in
        guard let message, let context else { return 0 }
        let watch = Unmanaged<SignalWatch>.fromOpaque(context).takeUnretainedValue()
        watch.connection.received(BusMessage(message), by: watch)
        return 0
      },
      // The bus has no room for another rule. The others stay active.
      { _, _, _ in 0 }, Unmanaged.passUnretained(self).toOpaque())
  }
}
