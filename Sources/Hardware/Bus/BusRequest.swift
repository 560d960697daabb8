import CSystemd

/// The service's call of a method of one of this program's own objects. It is to be answered once;
/// without an answer the caller runs into its timeout.
public final class BusRequest {
  private let message: OpaquePointer
  let path: String
  let interface: String
  let member: String
  let arguments: BusMessage

  init(_ message: OpaquePointer) {
    self.message = sd_bus_message_ref(message)
    arguments = BusMessage(message)
    path = arguments.path
    interface = sd_bus_message_get_interface(message).map { String(cString: $0) } ?? ""
    member = sd_bus_message_get_member(message).map { String(cString: $0) } ?? ""
  }

  deinit { sd_bus_message_unref(message) }

  func answer(_ values: [BusValue] = []) {
    var created: OpaquePointer?
    guard sd_bus_message_new_method_return(message, &created) >= 0, let answer = created else {
      return
    }
    defer { sd_bus_message_unref(answer) }
    for value in values where value.append(to: answer) < 0 {
      return refuse("org.freedesktop.DBus.Error.Failed")
    }
    sd_bus_message_send(answer)
  }

  /// - Parameter name: name of an error, such as "org.freedesktop.DBus.Error.UnknownMethod".
  func refuse(_ name: String) {
    var created: OpaquePointer?
    var error = sd_bus_error()
    guard sd_bus_error_set(&error, name, "") != 0 else { return }
    defer { sd_bus_error_free(&error) }
    guard sd_bus_message_new_method_error(message, &created, &error) >= 0, let answer = created
    else { return }
    defer { sd_bus_message_unref(answer) }
    sd_bus_message_send(answer)
  }
}
