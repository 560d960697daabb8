import Messaging
import Delivery
import Core
import Platform
import Ports
import Records
import Runtime

/// Carries letters, groups and meetings between the board and a broker. It decides nothing: what is
/// to be sent stands in the store, and what has come is for the daemon, which keeps it. What the
/// daemon has not taken stays with the broker, and comes again at the next visit.
final class MessageRelay {
  /// Numbers that no outbox has.
  private static let firstNumber: Int64 = 1 << 60
  /// Handed to the daemon at once.
  private static let mostItems = 20
  private static let mostBytes = 100_000
  /// Longer ones are none of these messages.
  private static let longest = 65_536  // bytes

  private let me: PersonAddress
  private let history: any HistoryPort
  private let daemon: any DaemonPort
  private let privacy: () -> PrivacyFilter?
  private let onLog: (LogEvent) -> Void
  private var number = firstNumber
  private var waiting: [OutboxItem] = []
  private var underWay: [Int64: Publication] = [:]
  /// What the broker has taken or refused in this visit, by its topic: it is not said again,
  /// whether or not the daemon could keep that it was.
  private var said: [String: [UInt8]] = [:]
  private var subscribed: Set<String> = []
  /// As the store had it when a look began: where to listen and what to send come from the same.
  private var looked: MessagingState?
  private var delivery = PeerMessageDelivery()
  private var bytes = 0
  private var allowances: SenderRateLimits
  /// Whether it was said that somebody sends too many.
  private var isFlooded = false
  /// Who was welcome when it was last listened for; nil: it was not.
  private var contacts: Contacts?
  /// Whether the broker knows nothing of earlier visits, and the daemon has not taken that.
  private var isForgotten = false
  /// Why the daemon takes nothing; nil while it does.
  private var failure: String?
  /// Whether something that has come was not taken: a visit may last for days, and only to who
  /// listens anew the broker gives it again.
  private var hasMissed = false
  /// Whether the daemon that runs is of another person, or of none.
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

  private var stored: MessagingState? {
    guard !isOthers, let items = try? history.messages() else { return nil }
    return MessagingState(of: me, hasBroker: true, restoring: items)
  }

  /// Whether something is to be sent, and may be.
  var hasMail: Bool {
    meetDaemon()
    return !sendable(of: stored).isEmpty
  }

  /// Another address counts for the daemon when it is restarted. Until then what waits in the store
  /// is of the earlier one, and so is whom it takes messages for. Without a daemon the settings say
  /// whose the board is.
  private func meetDaemon() {
    let people = (try? daemon.ask(ControlRequest.status.json))?["people"]
    let address = people?["address"]?.string
    let was = isOthers
    isOthers = people != nil && address != "\(me)"
    guard isOthers, !was else { return }
    onLog(
      LogEvent(
        "people",
        "letters and the like are not carried: people.address is \(me) in the settings, and "
          + "\(address ?? "none") in the daemon that runs; restart the daemon", level: .warning))
  }

  /// Each with what of it may leave.
  private func sendable(of messaging: MessagingState?) -> [(Publication, payload: [UInt8])] {
    let privacy = privacy()
    return (messaging?.pending ?? []).compactMap { publication in
      guard said[publication.topic] != publication.payload else { return nil }
      return released(publication, privacy).map { (publication, $0) }
    }
  }

  // MARK: Listening

  /// A visit begins: nothing is listened for yet.
  func begin() {
    meetDaemon()
    subscribed = []
    waiting = []
    underWay = [:]
    said = [:]
    // At the visit before the daemon may not have been there to hear of it.
    delivery = PeerMessageDelivery(isForgotten: isForgotten)
    bytes = 0
    allowances = SenderRateLimits(of: me)
    isFlooded = false
    contacts = nil
    failure = nil
    hasMissed = false
  }

  /// Where to listen that is not listened for yet: a group may have been joined, and the board
  /// comes into other areas.
  func newTopics() -> [String] {
    let position = (try? history.lastTrackPoint())?.location.position
    if hasMissed {
      hasMissed = false
      subscribed = []
      said = [:]
      delivery.isForgotten = isForgotten
    }
    looked = stored
    if let known = looked?.contacts, known != contacts {
      // Who was not welcome may be now: the broker gives again what lies there.
      subscribed = []
      contacts = known
      allowances.contacts = known
    }
    let topics = (looked?.subscriptions(around: position) ?? []).filter { !subscribed.contains($0) }
    subscribed.formUnion(topics)
    return topics
  }

  /// The broker has been told to forget what was listened for.
  func listenAnew() { hasMissed = true }

  func isMeant(_ message: BrokerEvent.Message) -> Bool { Publication.isTopic(message.topic) }

  /// The broker has a new session for the board: it has lost the earlier one, maybe with all that
  /// was retained, or never had one.
  func forgotten() {
    isForgotten = true
    delivery.isForgotten = true
  }

  /// What no board writes is not worth a word: a message of these is JSON on one line.
  func hear(_ message: BrokerEvent.Message) {
    guard message.payload.count <= Self.longest,
      !message.payload.contains(where: { $0 < 0x20 }),
      let text = String(validating: message.payload, as: UTF8.self)
    else { return }
    guard allowances.take(message.topic, at: BootClock.now) else { return flooded(message.topic) }
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
          + "those beyond stay with the broker", level: .warning))
  }

  /// As a string of JSON in the request to the daemon.
  private static func size(_ text: String.UTF8View) -> Int {
    text.reduce(0) { $0 + ($1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
  }

  // MARK: Sending

  /// - Parameter number: after which; from the beginning it is looked up what waits.
  func items(after number: Int64, atMost most: Int) -> [OutboxItem] {
    if number == 0 { lookUp() }
    return Array(waiting.filter { $0.number > number }.prefix(most))
  }

  private func lookUp() {
    // It is asked from the beginning when nothing of it is under way.
    underWay = [:]
    let messaging = looked ?? stored
    looked = nil
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

  /// Letters and meetings lie where their writer has put them. Where somebody of a group is, is
  /// told like any position, and where an open group is found, too: it is held back, and with
  /// rounded positions the group alone is published.
  /// - Returns: nil: nothing may leave.
  private func released(_ publication: Publication, _ privacy: PrivacyFilter?) -> [UInt8]? {
    guard let place = publication.place else { return publication.payload }
    guard let privacy, place.time.map(privacy.isOpen(at:)) ?? privacy.isAlwaysOpen,
      privacy.isOpen(place.position, within: place.accuracy)
    else { return nil }
    return privacy.isExact ? publication.payload : publication.placelessPayload
  }

  /// Takes those that are of this carrier's.
  /// - Returns: the others.
  func settle(_ settlements: [DeliveryResult]) -> [DeliveryResult] {
    settlements.filter { settlement in
      guard settlement.number >= Self.firstNumber else { return true }
      guard let publication = underWay.removeValue(forKey: settlement.number) else { return false }
      said[publication.topic] = publication.payload
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

  /// Hands to the daemon what has come, and what was sent.
  /// - Returns: whether there may be something new to send, or to listen for.
  func handOver() -> Bool {
    guard delivery != PeerMessageDelivery() else { return false }
    let all = delivery
    delivery = PeerMessageDelivery()
    bytes = 0
    do throws(PortError) {
      let answer = try daemon.ask(all.json)
      if let why = answer["error"]?.string { throw PortError(why) }
      failure = nil
      if all.isForgotten { isForgotten = false }
      return !all.arrived.isEmpty || all.isForgotten
    } catch {
      if error.message != failure {
        onLog(
          LogEvent(
            "people", "letters and the like stay with the broker: \(error.message)",
            level: .warning))
      }
      failure = error.message
      hasMissed = true
      return false
    }
  }
}
