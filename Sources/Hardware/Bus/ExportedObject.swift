import CSystemd

/// Objects of this program. They are removed when this object is released.
final class ExportedObject {
  private unowned let connection: BusConnection
  private var slot: OpaquePointer?

  init(_ connection: BusConnection) { self.connection = connection }

  deinit { sd_bus_slot_unref(slot) }

  /// - Returns: negative for an error.
  func start(_ path: String, on bus: OpaquePointer) -> Int32 {
    sd_bus_add_fallback(
      bus, &slot, path,
      { message, context, _ in
        guard let message, let context else { return 0 }
        Unmanaged<ExportedObject>.fromOpaque(context).takeUnretainedValue().connection
          .received(message)
        return 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
