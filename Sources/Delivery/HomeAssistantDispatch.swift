import Formats
import Core
import Records

/// What Home Assistant gets: who the board is, where it was last, and how it is. Never a backlog:
/// what arrives last is the position there.
public struct HomeAssistantDispatch: Sendable {
  /// Of nothing in particular: these messages tell of no record.
  private static let layer = "home_assistant"

  /// Where Home Assistant says that it has started, for all to tell it again who they are.
  public static let statusTopic = "homeassistant/status"
  /// What it says then.
  public static let online = Array("online".utf8)

  private let device: HomeAssistantDevice
  /// When the newest position was taken that was queued.
  public private(set) var shown: UTCInstant?

  /// Nil: no topics can be made of the names.
  public init?(_ board: UplinkBoard, shown: UTCInstant? = nil) {
    let topics = board.topics
    guard let topics = HomeAssistantTopics(id: topics.plainID, under: topics.base) else {
      return nil
    }
    device = HomeAssistantDevice(topics, name: board.name, version: board.version)
    self.shown = shown
  }

  /// By which Home Assistant finds the board.
  public var discovery: OutboxItem { item(device.topics.discovery, device.discovery) }

  /// How the board is.
  public func state(_ state: HomeAssistantState) -> OutboxItem {
    item(device.topics.state, state.bytes)
  }

  /// Nil: a newer one was queued before.
  public mutating func position(_ point: TrackPoint) -> OutboxItem? {
    let location = point.location
    guard shown.map({ location.time > $0 }) ?? true,
      var position = HomeAssistantPosition(
        location.time, location.position, accuracy: location.accuracy)
    else { return nil }
    position.altitude = location.altitude
    position.speed = location.speed
    position.course = location.track
    shown = location.time
    return item(device.topics.position, position.bytes)
  }

  private func item(_ topic: String, _ payload: [UInt8]) -> OutboxItem {
    OutboxItem(
      to: .homeAssistant, layer: Self.layer, record: 0, topic: topic, isRetained: true,
      isNewestOnly: true, payload: payload)
  }
}
