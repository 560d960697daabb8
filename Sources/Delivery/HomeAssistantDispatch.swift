import Formats
import Core
import Records

extension Recipient {
  /// Home Assistant, through a broker.
  public static let homeAssistant = Recipient("home_assistant", over: .broker, .newestOnly)
}

/// Home Assistant behind a broker. Its state and its announcement are about no record.
struct HomeAssistantRecipient: BrokerRecipient {
  static let recipient = Recipient.homeAssistant
  static let doc =
    "Send the newest position and the state of the board, with discovery by Home Assistant."

  func item(for change: ChangedRecord, _ state: inout OutboxState) -> OutboxItem? {
    change.point.flatMap { HomeAssistantDispatch(change.board)?.position($0, &state) }
  }
}

/// The messages for Home Assistant: the board's identity, its last position, and its state. Never a
/// backlog: the position there is the one received last.
public struct HomeAssistantDispatch: Sendable {
  /// A pseudo layer: these messages are about no record.
  private static let layer = "home_assistant"

  /// The topic on which Home Assistant announces its start, so that devices announce themselves
  /// again.
  public static let statusTopic = "homeassistant/status"
  /// The payload of that.
  public static let online = Array("online".utf8)

  private let device: HomeAssistantDevice

  /// Nil: the names give no valid topics.
  public init?(_ board: UplinkBoard) {
    let topics = board.topics
    guard let topics = HomeAssistantTopics(id: topics.plainID, under: topics.base) else {
      return nil
    }
    device = HomeAssistantDevice(topics, name: board.name, version: board.version)
  }

  /// The message by which Home Assistant finds the board.
  public var discovery: OutboxItem { item(device.topics.discovery, device.discovery) }

  /// The state of the board.
  public func state(_ state: HomeAssistantState) -> OutboxItem {
    item(device.topics.state, state.bytes)
  }

  /// - Parameter state: with the time of the newest queued position.
  /// - Returns: nil: a newer one was queued before.
  public func position(_ point: TrackPoint, _ state: inout OutboxState) -> OutboxItem? {
    let location = point.location
    guard state.shown.map({ location.time > $0 }) ?? true,
      var position = HomeAssistantPosition(
        location.time, location.position, accuracy: location.accuracy)
    else { return nil }
    position.altitude = location.altitude
    position.speed = location.speed
    position.course = location.track
    state.shown = location.time
    return item(device.topics.position, position.bytes)
  }

  private func item(_ topic: String, _ payload: [UInt8]) -> OutboxItem {
    OutboxItem(
      to: .homeAssistant, layer: Self.layer, record: 0, topic: topic, isRetained: true,
      isNewestOnly: true, payload: payload)
  }
}
