import CSystemd
import Core

/// A call with a pending answer. sd-bus drops it when this object is released.
final class PendingCall {
  let tag: Int
  let end: BootInstant
  /// The unique name of the service at the time of the call; nil: it was not there, and may be
  /// started by the call, or the call is to the bus.
  let owner: String?
  private unowned let connection: BusConnection
  private var slot: OpaquePointer?

  init(_ connection: BusConnection, tag: Int, end: BootInstant, owner: String?) {
    self.connection = connection
    self.tag = tag
    self.end = end
    self.owner = owner
  }

  deinit { sd_bus_slot_unref(slot) }

  /// - Returns: negative for an error.
  func send(_ call: BusCall, to service: String, on bus: OpaquePointer) -> Int32 {
    var created: OpaquePointer?
    let made = sd_bus_message_new_method_call(
      bus, &created, service, call.path, call.interface, call.member)
    guard made >= 0, let message = created else { return made }
    defer { sd_bus_message_unref(message) }
    sd_bus_message_set_auto_start(message, call.startsService ? 1 : 0)
    for argument in call.arguments {
      let appended = argument.append(to: message)
      guard appended >= 0 else { return appended }
    }
    return sd_bus_call_async(
      bus, &slot, message,
      { message, context, _ in
        guard let message, let context else { return 0 }
        Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue().ended(message)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), UInt64.max)
  }

  private func ended(_ message: OpaquePointer) {
    if let error = sd_bus_message_get_error(message) {
      connection.end(self, .failure(BusRefusal(error.pointee)))
    } else {
      connection.end(self, .success(BusMessage(message)))
    }
  }
}
