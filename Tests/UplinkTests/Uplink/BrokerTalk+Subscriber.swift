import BrokerStandIns
import Delivery
import Transports
import Testing

extension BrokerTalk {
  /// A persistent subscriber that reconnects and receives the queued messages.
  static func subscribed(
    at mosquitto: MosquittoProcess, to topics: [String]
  ) throws -> BrokerTalk {
    let talk = BrokerTalk(MosquittoBroker(), with: mosquitto)
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://localhost:\(mosquitto.port)"),
      as: BrokerLogin(clientID: "home"))
    try #require(talk.welcome() != nil)
    talk.port.subscribe(to: topics)
    try #require(talk.subscription() == false)
    return talk
  }
}
