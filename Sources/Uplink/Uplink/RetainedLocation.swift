import Delivery
import Formats
import Platform
import Ports
import Core
import Records

/// The newest location under OwnTracks' topic, for later subscribers: a broker keeps the last
/// message received, and without a subscriber that is the oldest of those that wait. It is
/// published in addition to what waits, which is sent afterwards regardless.
final class RetainedLocation {
  /// The minimum interval of a connection that stays, while everything else is sent. The daemon's
  /// calls for a location alone have at least twice this interval.
  private static let pause: Seconds = 30

  private let parts: UplinkRun.Parts
  private let settings: UplinkSettings
  private let topics: UplinkTopics
  private let privacy: () -> PrivacyFilter?
  private var published: BootInstant?
  /// The location that a message contains.
  private enum Subject: Equatable {
    case fix(at: UTCInstant)
    /// One of the waiting items.
    case waiting(number: Int64)
  }
  /// Handed over, and not acknowledged yet.
  private var underWay: (message: BrokerMessage, subject: Subject)?
  /// The last one that the broker has acknowledged.
  private var acknowledged: Subject?

  init(
    _ parts: UplinkRun.Parts, _ settings: UplinkSettings, _ topics: UplinkTopics,
    privacy: @escaping () -> PrivacyFilter?
  ) {
    self.parts = parts
    self.settings = settings
    self.topics = topics
    self.privacy = privacy
  }

  /// - Parameter isOverwritten: whether waiting items were published meanwhile, under the same
  ///   topic.
  /// - Returns: nil: the broker has it already, or it may not leave the board.
  func message(isOverwritten: Bool) throws(PortError) -> BrokerMessage? {
    let waiting = try parts.outbox.newestRetained(for: .owntracks)
    let now = BootClock.now
    guard waiting != nil || published.map({ now - $0 >= Self.pause }) ?? true else { return nil }
    let date = BootClock.systemDate
    let location = try? PresentLocation(parts.history, parts.daemon, at: date)
    if let location, !location.isStored, let point = location.released(by: privacy()) {
      guard let state = try parts.outbox.state(),
        isOverwritten || state.retained.map({ $0 < point.location.time }) ?? true
      else { return nil }
      published = now
      return message(point).flatMap {
        give($0, .fix(at: point.location.time), isOverwritten: isOverwritten)
      }
    }
    guard let waiting else { return nil }
    let message = BrokerMessage(topic: waiting.topic, payload: waiting.payload, isRetained: true)
    return give(message, .waiting(number: waiting.number), isOverwritten: isOverwritten)
  }

  private func give(
    _ message: BrokerMessage, _ subject: Subject, isOverwritten: Bool
  ) -> BrokerMessage? {
    guard isOverwritten || subject != underWay?.subject && subject != acknowledged else {
      return nil
    }
    underWay = (message, subject)
    return message
  }

  /// The broker has acknowledged a message, which may be this one.
  func acknowledged(_ message: BrokerMessage) throws(PortError) {
    guard let underWay, underWay.message == message else { return }
    acknowledged = underWay.subject
    self.underWay = nil
    guard case .fix(let time) = underWay.subject, var state = try parts.outbox.state() else {
      return
    }
    state.retained = time
    try parts.outbox.queue([], state: state, at: BootClock.systemDate)
  }

  /// The acknowledgement will not arrive.
  func forgetUnderWay() { underWay = nil }

  /// Nil: it cannot be encrypted, and is not sent in the clear.
  private func message(_ point: TrackPoint) -> BrokerMessage? {
    let location = OwnTracksLocation(point, tracker: settings.tracker)
    let plain = OwnTracksMessage.location(location).bytes
    guard let encryptor = parts.encryptor.map(OwnTracksEncryption.init) else {
      return BrokerMessage(topic: topics.location, payload: plain, isRetained: true)
    }
    return (try? encryptor.encrypted(plain)).map {
      BrokerMessage(topic: topics.location, payload: $0, isRetained: true)
    }
  }
}
