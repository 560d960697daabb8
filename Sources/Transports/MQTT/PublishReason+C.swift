import CShims
import Delivery

extension PublishReason {
  /// Why libmosquitto does not send a message.
  ///
  /// - Parameter error: its number; nil for one that does not concern the message.
  init?(_ error: Int32) {
    switch godwit_mqtt_failure(error) {
    case GODWIT_MQTT_TOO_LONG: self = .tooLong
    case GODWIT_MQTT_NO_QOS: self = .qosNotSupported
    case GODWIT_MQTT_NEVER, GODWIT_MQTT_BAD_FILES: self = .unsendable
    default: return nil
    }
  }
}
