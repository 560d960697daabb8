import CShims
import Delivery
import Core

/// What libmosquitto reports during one of its calls, kept until that has returned.
enum BrokerCallback {
  case answered(Answer)
  /// With a reason for each topic, in the order of the request.
  case subscribed(Int32, reasons: [Int32])
  case acknowledged(Int32, PublishReason)
  case received(BrokerEvent.Message)
  case closed(Int32)

  /// The answer to CONNECT.
  struct Answer {
    let code: Int32
    let hasSession: Bool
    /// Nil if the broker does not report it, as in the following.
    let receiveMaximum: Int?
    /// Replaces ours.
    let keepAlive: Seconds?
  }

  init(_ event: godwit_mqtt_event) {
    switch event.kind {
    case GODWIT_MQTT_ACCEPTED:
      let maximum = event.receive_maximum
      self = .answered(
        Answer(
          code: event.reason, hasSession: event.session_present,
          receiveMaximum: maximum > 0 ? Int(maximum) : nil,
          keepAlive: event.has_keep_alive ? Seconds(Double(event.keep_alive_s)) : nil))
    case GODWIT_MQTT_SUBSCRIBED:
      let reasons = UnsafeBufferPointer(start: event.reasons, count: Int(event.reason_count))
      self = .subscribed(event.message_id, reasons: Array(reasons))
    case GODWIT_MQTT_ACKNOWLEDGED:
      let reason = PublishReason(code: UInt8(truncatingIfNeeded: event.reason))
      self = .acknowledged(event.message_id, reason)
    case GODWIT_MQTT_RECEIVED: self = .received(BrokerEvent.Message(event))
    default: self = .closed(event.reason)
    }
  }
}

extension BrokerEvent.Message {
  fileprivate init(_ event: godwit_mqtt_event) {
    self.init(
      topic: event.topic.map { String(cString: $0) } ?? "",
      payload: Array(UnsafeBufferPointer(start: event.payload, count: event.payload_length)),
      isRetained: event.is_retained,
      responseTopic: event.response_topic.map { String(cString: $0) },
      correlation: Array(
        UnsafeBufferPointer(start: event.correlation, count: Int(event.correlation_length))))
  }
}
