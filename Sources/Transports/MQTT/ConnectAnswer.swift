import Delivery

/// A broker's answer to CONNECT, or its reason for ending a connection: codes of MQTT 5 (2.4), from
/// 0x80 on, and of 3.1.1 (3.2.2.3), below.
enum ConnectAnswer {
  /// Whether the broker may not support the version of the protocol.
  static func isOfVersion(_ code: Int32) -> Bool { code == 1 || code == 0x84 }

  static func cause(_ code: Int32) -> BrokerFailure.Cause {
    switch code {
    case 1, 0x84: .noBroker
    case 4, 0x86: .wrongPassword
    case 2, 5, 0x85, 0x87, 0x8A, 0x8C: .notAllowed
    case 3, 0x88, 0x89, 0x97, 0x9C, 0x9D, 0x9F: .unavailable
    default: .closed
    }
  }

  /// The code of a DISCONNECT sent by the broker.
  static func causeOfEnd(_ code: Int32) -> BrokerFailure.Cause {
    switch code {
    case 0x8E: .takenOver
    case 0x8B: .unavailable
    case 0x87: .notAllowed
    default: .closed
    }
  }
}
