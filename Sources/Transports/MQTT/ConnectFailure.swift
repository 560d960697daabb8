import CShims
import Delivery
import Glibc
import Platform

/// Why a connection has failed, from the errors left by libmosquitto and OpenSSL.
struct ConnectFailure {
  private let connection: OpaquePointer
  private let broker: BrokerAddress
  private let error: Int32

  /// - Parameter error: libmosquitto's; nil: that of the attempt.
  init(of connection: OpaquePointer, to broker: BrokerAddress, _ error: Int32? = nil) {
    self.connection = connection
    self.broker = broker
    self.error = error ?? godwit_mqtt_error(connection)
  }

  var failure: BrokerFailure {
    let system = SystemError(code: godwit_mqtt_errno(connection))
    switch godwit_mqtt_failure(error) {
    case GODWIT_MQTT_NO_NAME: return BrokerFailure(.nameNotResolved, at: broker)
    case GODWIT_MQTT_NO_SERVICE:
      return isHandshakeOver(system) ? handshake : BrokerFailure(Self.cause(system), at: broker)
    case GODWIT_MQTT_NO_TLS: return handshake
    case GODWIT_MQTT_BAD_FILES: return BrokerFailure(.filesUnusable, at: broker, detail: log)
    case GODWIT_MQTT_BAD_PROTOCOL: return BrokerFailure(.noBroker, at: broker)
    case GODWIT_MQTT_LOST: return BrokerFailure(.closed, at: broker)
    default:
      let text = String(cString: godwit_mqtt_error_text(error))
      return BrokerFailure(.impossible, at: broker, detail: text)
    }
  }

  /// Whether a broker answered and then ended the handshake, such as one that refuses our
  /// certificate: libmosquitto leaves EPROTO for OpenSSL's error, or the error of the connection's
  /// end.
  private func isHandshakeOver(_ error: SystemError) -> Bool {
    broker.isSecure && [EPROTO, ECONNRESET, EPIPE].contains(error.code)
  }

  private var handshake: BrokerFailure { BrokerFailure(certificate, at: broker, detail: log) }

  private static func cause(_ error: SystemError) -> BrokerFailure.Cause {
    switch error.code {
    case ECONNRESET, EPIPE: .closed
    case ECONNREFUSED: .refused
    case ETIMEDOUT: .timedOut
    default: .unreachable
    }
  }

  private var log: String { String(cString: godwit_mqtt_log(connection)) }

  /// x509_vfy.h of OpenSSL 3.
  private var certificate: BrokerFailure.Cause {
    switch godwit_mqtt_verification(connection) {
    case 0: log.contains("host name verification") ? .certificateWrongHost : .handshakeFailed
    case 9: .certificateNotYetValid
    case 10: .certificateExpired
    case 18, 19, 20, 21, 27: .certificateForeign
    case 62, 64: .certificateWrongHost
    default: .handshakeFailed
    }
  }
}
