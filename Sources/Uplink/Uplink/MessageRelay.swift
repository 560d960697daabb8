import Messaging
import Delivery
import Core
import Platform
import Ports
import Records
import Runtime

/// Relays letters, groups and meetings between the store, the daemon and a broker. It makes no
/// decisions: what is to be sent is in the store, and the daemon keeps what has arrived. What the
/// daemon has not accepted stays at the broker, and arrives again at the next connection.
final class MessageRelay {
  /// Above all numbers of the outbox.
  private static let firstNumber: Int64 = 1 << 60
  /// The maximum passed to the daemon at once.
  private static let mostItems = 20
  private static let mostBytes = 100_000
  /// Longer messages are not of this kind.
  private static let longest = 65_536  // bytes

  private let me: PersonAddress
  private let history: any HistoryPort
  private let daemon: any DaemonPort
  private let privacy: () -> PrivacyFilter?
  private let onLog: (LogEvent) -> Void
  private var number = firstNumber
  private var waiting: [OutboxItem] = []
  private var underWay: [Int64: Publication] = [:]
  /// What the broker has accepted or refused on this connection, by topic: it is not sent again,
  /// even if the daemon could not record that.
  private var settledPayloads: [String: [UInt8]] = [:]
  private var subscribed: Set<String> = []
  /// The store's messages when they were last read.
  private var known: (items: [StoredMessage], state: MessagingState)?
  /// The state when a check began, so that subscriptions and messages are based on the same state.
  private var checkedState: MessagingState?
  private var delivery = PeerMessageDelivery()
  private var bytes = 0
  private var allowances: SenderRateLimits
  /// Whether it was logged that a person sends too many messages.
  private var isFlooded = false
  /// The contacts at the last subscription; nil: there was none.
  private var contacts: Contacts?
  /// Whether the broker has lost earlier sessions and the daemon has not recorded that yet.
  private var isForgotten = false
  /// Why the daemon accepts nothing; nil while it does.
  private var failure: String?
  /// Whether an arrived message was not accepted by the daemon. A connection may last for days, and
  /// a broker delivers retained messages again only after a new subscription.
  private var hasMissed = false
  /// Whether the running daemon is configured for another person, or for none.
  private var isOthers = false

  init(
    of me: PersonAddress, _ history: any HistoryPort, _ daemon: any DaemonPort,
    privacy: @escaping () -> PrivacyFilter?, onLog: @escaping (LogEvent) -> Void
  ) {
    self.me = me
    allowances = SenderRateLimits(of: me)
    self.history = history
    self.daemon = daemon
    self.privacy = privacy
    self.onLog = onLog
  }

  /// The messages in the store, which are decoded only where they have changed.
  private var stored: MessagingState? {
    guard !isOthers, let items = try? history.messages() else { return nil }
    if let known, known.items == items { return known.state }
    let state = MessagingState(of: me, hasBroker: true, restoring: items)
    known = (items, state)
    return state
  }

  /// Whether a message waits that may be sent.
  var hasPending: Bool {
    checkOwner()
    return !sendable(of: stored).isEmpty
  }

  /// Compares the configured address with the daemon's. A new address takes effect when the daemon
  /// is restarted; until then the store's messages, and those the daemon accepts, belong to the
  /// earlier one. Without a daemon the settings decide.
  private func checkOwner() {
    let people = (try? daemon.query(ControlRequest.status.json))?["people"]
    let address = people?["address"]?.string
    let was = isOthers
    isOthers = people != nil && address != "\(me)"
    guard isOthers, !was else { return }
    onLog(
      LogEvent(
        "people",
        "letters, groups and meetings are not sent: people.address is \(me) in the settings, but "
          + "\(address ?? "none") in the running daemon; restart the daemon", level: .warning))
  }

  /// Each with the part of its payload that may leave the board.
  private func sendable(of messaging: MessagingState?) -> [(Publication, payload: [UInt8])] {
    let privacy = privacy()
    return (messaging?.pending ?? []).compactMap { publication in
      guard settledPayloads[publication.topic] != publication.payload else { return nil }
      return released(publication, privacy).map { (publication, $0) }
    }
  }

  // MARK: Subscriptions

  /// Starts a connection without subscriptions.
  func begin() {
    checkOwner()
    subscribed = []
    waiting = []
    underWay = [:]
    settledPayloads = [:]
    // The daemon may not have been running at the previous connection.
    delivery = PeerMessageDelivery(isForgotten: isForgotten)
    bytes = 0
    allowances = SenderRateLimits(of: me)
    isFlooded = false
    contacts = nil
    failure = nil
    hasMissed = false
  }

  /// The topics that are not subscribed to yet: a group may have been joined, and the board moves
  /// into other areas.
  func newTopics() -> [String] {
    let position = (try? history.lastTrackPoint())?.location.position
    if hasMissed {
      hasMissed = false
      subscribed = []
      settledPayloads = [:]
      delivery.isForgotten = isForgotten
    }
    checkedState = stored
    if let now = checkedState?.contacts, now != contacts {
      // Other people may be welcome now: the broker delivers their retained messages again.
      subscribed = []
      contacts = now
      allowances.contacts = now
    }
    let topics = (checkedState?.subscriptions(around: position) ?? []).filter {
      !subscribed.contains($0)
    }
    subscribed.formUnion(topics)
    return topics
  }

  /// The broker has dropped the subscriptions.
  func resubscribe() { hasMissed = true }

  func accepts(_ message: BrokerEvent.Message) -> Bool { MessageTopic.isOne(message.topic) }

  /// The broker has created a new session for the board: the earlier one was lost, possibly with
  /// everything retained, or never existed.
  func forgotten() {
    isForgotten = true
    delivery.isForgotten = true
  }

  /// Invalid messages are dropped without a log line: valid ones are JSON on one line.
  func handle(_ message: BrokerEvent.Message) {
    guard message.payload.count <= Self.longest,
      !message.payload.contains(where: { $0 < 0x20 }),
      let text = String(validating: message.payload, as: UTF8.self)
    else { return }
    guard allowances.allow(message.topic, at: BootClock.now) else { return flooded(message.topic) }
    let size = Self.size(message.topic.utf8) + Self.size(text.utf8)
    if !delivery.arrived.isEmpty, bytes + size > Self.mostBytes { _ = handOver() }
    delivery.arrived.append(.init(topic: message.topic, text: text))
    bytes += size
    if delivery.arrived.count >= Self.mostItems { _ = handOver() }
  }

  private func flooded(_ topic: String) {
    guard !isFlooded else { return }
    isFlooded = true
    onLog(
      LogEvent(
        "people",
        "\(TerminalText.line(String(SenderRateLimits.sender(of: topic)))) sends too many messages: "
          + "further ones stay at the broker", level: .warning))
  }

  /// The size as a JSON string in the request to the daemon.
  private static func size(_ text: String.UTF8View) -> Int {
    text.reduce(0) { $0 + ($1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
  }

  // MARK: Sending

  /// - Parameter number: items after this number; 0 first determines what waits.
  func items(after number: Int64, atMost most: Int) -> [OutboxItem] {
    if number == 0 { lookUp() }
    return Array(waiting.filter { $0.number > number }.prefix(most))
  }

  private func lookUp() {
    // Starting from 0 implies that nothing is under way.
    underWay = [:]
    let messaging = checkedState ?? stored
    checkedState = nil
    waiting = sendable(of: messaging).map { publication, payload in
      number += 1
      underWay[number] = publication
      var item = OutboxItem(
        number: number, to: .people, layer: StoredMessage.table.layout.name, record: 0,
        rank: .important, topic: publication.topic, isRetained: true, payload: payload)
      item.life = publication.life
      return item
    }
  }

  /// Letters and meetings have the place that their writer chose. The position of a group's member,
  /// and the place where an open group is found, are treated like any position: they may be held
  /// back, and with rounded positions the group is published without its place.
  /// - Returns: nil: nothing may leave.
  private func released(_ publication: Publication, _ privacy: PrivacyFilter?) -> [UInt8]? {
    guard let place = publication.place else { return publication.payload }
    guard let privacy, place.time.map(privacy.isOpen(at:)) ?? privacy.isAlwaysOpen,
      privacy.isOpen(place.position, within: place.accuracy)
    else { return nil }
    return privacy.isExact ? publication.payload : publication.placelessPayload
  }

  /// Handles the results for this relay's messages.
  /// - Returns: the other results.
  func handleResults(_ settlements: [DeliveryResult]) -> [DeliveryResult] {
    settlements.filter { settlement in
      guard settlement.number >= Self.firstNumber else { return true }
      guard let publication = underWay.removeValue(forKey: settlement.number) else { return false }
      settledPayloads[publication.topic] = publication.payload
      switch settlement.outcome {
      case .received, .handedOver:
        delivery.sent.append(
          .init(
            topic: publication.topic, text: String(decoding: publication.payload, as: UTF8.self)))
      case .refused(let why):
        onLog(LogEvent("people", "\(publication.topic): \(why)", level: .warning))
      case .failed: break
      }
      return false
    }
  }

  /// Passes received and sent messages to the daemon.
  /// - Returns: whether there may be something new to send, or to subscribe to.
  func handOver() -> Bool {
    guard delivery != PeerMessageDelivery() else { return false }
    let all = delivery
    delivery = PeerMessageDelivery()
    bytes = 0
    do throws(PortError) {
      let answer = try daemon.query(all.json)
      if let why = answer["error"]?.string { throw PortError(why) }
      failure = nil
      if all.isForgotten { isForgotten = false }
      return !all.arrived.isEmpty || all.isForgotten
    } catch {
      if error.message != failure {
        onLog(
          LogEvent(
            "people", "letters, groups and meetings stay at the broker: \(error.message)",
            level: .warning))
      }
      failure = error.message
      hasMissed = true
      return false
    }
  }
}
