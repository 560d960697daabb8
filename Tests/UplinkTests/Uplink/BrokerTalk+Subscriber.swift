import BrokerStandIns
import Delivery
import Transports
import Testing

extension BrokerTalk {
  /// Somebody who has subscribed, comes back and takes what was kept.
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
