import CShims
import Delivery

extension BrokerMessage {
  /// Why no broker would accept it; nil: one may.
  var problem: String? {
    guard BrokerTopic.isOne(topic) else { return "\(topic.prefix(100)) is not a topic" }
    if payload.count > WireText.longestPayload { return "the payload is too long" }
    if correlation.count > WireText.longest { return "the correlation is too long" }
    return WireText.problem([
      ("the response topic", responseTopic), ("the content type", contentType),
    ])
  }

  /// Calls the body with pointers that are valid during the call.
  func asC<Result>(_ body: (UnsafePointer<godwit_mqtt_message>) -> Result) -> Result {
    payload.withUnsafeBufferPointer { payload in
      correlation.withUnsafeBufferPointer { correlation in
        CStrings([topic, responseTopic, contentType]).with { texts in
          var message = godwit_mqtt_message()
          message.topic = texts[0]
          message.payload = payload.baseAddress
          message.payload_length = payload.count
          message.qos = isAcknowledged ? 1 : 0
          message.is_retained = isRetained
          message.expiry_s = expiry.map { UInt32(min(max($0.value, 1), 4e9)) } ?? 0
          message.response_topic = texts[1]
          if !correlation.isEmpty {
            message.correlation = correlation.baseAddress
            message.correlation_length = UInt16(correlation.count)
          }
          message.content_type = texts[2]
          return body(&message)
        }
      }
    }
  }
}
