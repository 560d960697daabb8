import Delivery
import Formats
import Core
import Ports
import Records

/// Answers OwnTracks' commands as far as its protocol allows. Commands that would change places or
/// settings are refused: remote clients may change neither.
final class OwnTracksCommandHandler {
  private static let mostPlaces = 200

  private let history: any HistoryPort
  private let daemon: (any DaemonPort)?
  private let topics: UplinkTopics
  private let tracker: String
  private let encryptor: OwnTracksEncryption?
  private let privacy: () -> PrivacyFilter?
  private let onLog: (LogEvent) -> Void

  init(
    _ history: any HistoryPort, _ daemon: (any DaemonPort)?, _ topics: UplinkTopics,
    tracker: String, encryptor: (any EncryptorPort)?, privacy: @escaping () -> PrivacyFilter?,
    onLog: @escaping (LogEvent) -> Void
  ) {
    self.history = history
    self.daemon = daemon
    self.topics = topics
    self.tracker = tracker
    self.encryptor = encryptor.map(OwnTracksEncryption.init)
    self.privacy = privacy
    self.onLog = onLog
  }

  /// Nil: it is no command, or not encrypted although the board encrypts its own messages.
  func command(in message: OwnTracksMessage) -> OwnTracksCommand? {
    guard case .command(let command) = encryptor.map({ $0.opened(message) }) ?? message else {
      return nil
    }
    return command
  }

  /// - Returns: nil: there is no answer.
  func answer(
    to command: OwnTracksCommand, at now: UTCInstant, over transport: Recipient.Transport
  ) -> BrokerMessage? {
    switch command.action {
    case .reportLocation: return location(at: now, over: transport)
    case .waypoints: return waypoints()
    case .status, .setWaypoints, .clearWaypoints, .setConfiguration, .other:
      onLog(
        LogEvent(
          "command-refused", "this command of OwnTracks is not supported remotely", level: .warning)
      )
      return nil
    }
  }

  /// The newest location, as the answer to `reportLocation` (booklet: `t` is `r`).
  private func location(at now: UTCInstant, over transport: Recipient.Transport) -> BrokerMessage? {
    guard let newest = try? PresentLocation(history, daemon, at: now),
      let released = newest.released(by: privacy())
    else { return nil }
    var location = OwnTracksLocation(released, tracker: tracker)
    location.trigger = .answer
    location.createdAt = now
    location.rest = topics.members(of: topics.location, over: transport)
    return self.message(
      OwnTracksMessage.location(location).bytes, on: topics.location, isRetained: true)
  }

  private func waypoints() -> BrokerMessage? {
    guard let privacy = privacy(),
      let rows = try? history.placeRows(atMost: Self.mostPlaces)
    else { return nil }
    var file = PlaceFileFormat.owntracks.writer()
    for place in rows.compactMap({ $0.entry(.ofStore).place }) where privacy.shows(place) {
      _ = file.place(place)
    }
    file.finish()
    return self.message(file.output, on: topics.waypoints)
  }

  /// Nil: it cannot be encrypted, and is not sent in the clear.
  private func message(
    _ message: [UInt8], on topic: String, isRetained: Bool = false
  ) -> BrokerMessage? {
    guard let encryptor else {
      return BrokerMessage(topic: topic, payload: message, isRetained: isRetained)
    }
    return (try? encryptor.encrypted(message)).map {
      BrokerMessage(topic: topic, payload: $0, isRetained: isRetained)
    }
  }
}
