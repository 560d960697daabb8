import Messaging
import PeopleExperiment
import Core
import Runtime
import TestSupport

/// The messages that a broker retains, and the uplinks of some boards that exchange them.
public struct BrokerPost {
  /// The share of messages lost in either direction; they are sent again at the next connection.
  private let loss: Double
  private var chance: SplitMix
  private var retained: [String: String] = [:]
  private var given: [PersonAddress: [String: String]] = [:]

  public init(losing loss: Double = 0, seed: UInt64 = 1) {
    self.loss = loss
    chance = SplitMix(seed: seed)
  }

  /// One run of a board's uplink.
  /// - Parameters:
  ///   - messaging: the messaging state in the board's store.
  ///   - position: the board's position according to the uplink.
  /// - Returns: why the board could not store something; nil: it could.
  public mutating func visit(
    _ board: CarriedBoard, _ messaging: MessagingState, around position: Coordinate
  ) -> String? {
    for publication in messaging.pending {
      guard !isLost() else { continue }
      let text = String(decoding: publication.payload, as: UTF8.self)
      retained[publication.topic] = text
      guard !isLost() else { continue }
      let sent = PeerMessageDelivery(sent: [.init(topic: publication.topic, text: text)])
      if let failure = board.take(sent) { return failure }
    }
    let filters = messaging.subscriptions(around: position)
    for (topic, text) in retained.sorted(by: { $0.key < $1.key })
    where given[messaging.me]?[topic] != text
      && filters.contains(where: { VirtualBroker.matches($0, topic) }) && !isLost()
    {
      let arrived = PeerMessageDelivery(arrived: [.init(topic: topic, text: text)])
      if let failure = board.take(arrived) { return failure }
      // A message whose acknowledgement is lost is delivered once more.
      if !isLost() { given[messaging.me, default: [:]][topic] = text }
    }
    return nil
  }

  private mutating func isLost() -> Bool {
    loss > 0 && Double.random(in: 0..<1, using: &chance) < loss
  }
}
