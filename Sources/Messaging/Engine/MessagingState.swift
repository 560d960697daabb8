import Core
import Places
import Records

/// Everything that one person exchanges with others: contacts, letters left at places (Landsmann
/// 2013, chapter 4), groups and meetings (Chughtai 2015, 4.3). Receives events and returns what is
/// to be stored and reported. It reads no clock and never blocks.
///
/// Everything to be sent is a retained message, the latest of its topic, so sending or receiving it
/// twice changes nothing. Letters, groups and meetings are three kinds (`MessageKind`): what
/// arrives is decoded here, once, and what comes of an event is gathered in one step.
public struct MessagingState: Sendable {
  public let me: PersonAddress
  /// Without a broker, letters are exchanged through files alone.
  private let hasBroker: Bool
  public private(set) var contacts: Contacts
  private var letters: LetterService
  private var meetings: MeetingList
  private var groups: GroupList
  private var queue = PublicationQueue()
  /// Stored items that cannot be read, with the reason.
  public private(set) var remarks: [String] = []

  /// - Parameters:
  ///   - items: as stored by an earlier run. Items that cannot be read are reported in `remarks`
  ///     and left as they are.
  ///   - here: the board's location, as far as it is known; it decides which groups are found.
  public init(
    of me: PersonAddress, hasBroker: Bool, restoring items: [StoredMessage] = [],
    at here: Location? = nil
  ) {
    self.me = me
    self.hasBroker = hasBroker
    contacts = Contacts()
    letters = LetterService(of: me)
    meetings = MeetingList(for: me)
    groups = GroupList(of: me, at: here)
    for item in items {
      do throws(MessageError) { try restore(item) } catch {
        remarks.append("\(item.key.kind.rawValue) \(item.key.name) cannot be read: \(error)")
      }
    }
    letters.contacts = contacts
    meetings.contacts = contacts
    groups.contacts = contacts
  }

  private mutating func restore(_ item: StoredMessage) throws(MessageError) {
    switch item.key.kind {
    case .contacts: contacts = try Contacts(Array(item.text.utf8))
    case .letter, .letterbox, .outgoingLetter: try letters.restore(item)
    case .meeting: try meetings.restore(item)
    case .group, .groupPublication: try groups.restore(item)
    case .publication: try queue.restore(item)
    }
  }

  // MARK: What is known

  public var letterRecords: [LetterRecord] { letters.records }
  public var letterboxes: [Letterbox] { letters.letterboxes }
  public var outgoing: [OutgoingLetter] { letters.outgoing }
  public var meetingRecords: [MeetingRecord] { meetings.records }
  public var groupStates: [GroupState] { groups.all }
  /// Without open groups that are too far away to be found.
  public var foundGroups: [GroupState] { groups.found }

  public func visibleMeetings(at date: UTCInstant) -> [Meeting] { meetings.visible(at: date) }
  public func isInGroup(_ id: UniqueID) -> Bool { groups.isIn(id) }

  /// When the next step is due without any other event.
  public var wake: BootInstant? {
    .earlier(letters.wake, .earlier(meetings.wake, groups.wake))
  }

  /// What still has to be sent; after a restart or a lost connection, all of it again.
  public var pending: [Publication] {
    letters.pending + queue.all
  }

  public var pendingCount: Int { letters.pendingCount + queue.count }

  /// The topics to subscribe to.
  /// - Parameter position: the board's approximate position; nil: only messages for this person.
  public func subscriptions(around position: Coordinate?) -> [String] {
    let areas = position.flatMap { TopicArea.covering(TopicArea.box(around: $0)) } ?? []
    return MessageTopic.subscriptions(
      of: me, around: areas, isOpen: contacts.welcome == .everybody, joined: groups.joined)
  }

  /// The content of a letter file: what others are to receive from this person.
  public var letterFile: [PeerMessage] {
    letterboxes.filter { $0.owner == me }.map { .box($0) }
      + letters.outgoing.filter { !$0.isOver }.map(\.message)
      + queue.receipts.map { .receipt($0) }
  }

  // MARK: Where the board has to be located

  /// Areas whose entry would be an event: the circle of a letter, the region of a meeting.
  public func targets(around position: Coordinate, date: UTCInstant?) -> [PlaceReach.Candidate] {
    letters.targets(around: position)
      + meetings.regionsAhead(at: date).map { PlaceReach.Candidate($0) }
  }

  /// The accuracy needed where a group requests this person's position; nil: none requests it.
  public var wantedAccuracy: Metres? {
    groups.positionRequests.compactMap { groups[$0]?.group.range }.min().map { min($0 / 4, 100) }
  }

  // MARK: What happens

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: of now; nil: it is not known.
  public mutating func step(
    _ event: MessagingEvent, at now: BootInstant, date: UTCInstant?
  ) -> MessagingResult {
    var step = MessagingStep(at: now, date: date, hasBroker: hasBroker, queue)
    if let id = event.announced, !queue.hasRoom {
      step.refuse(
        "\(id)",
        "too many messages are waiting to be sent: wait until the uplink has reached its broker")
    } else {
      handle(event, &step)
    }
    letters.finish(hasBroker: hasBroker, &step)
    queue = step.queue
    return step.result
  }

  /// Several events that have arrived together and are stored together.
  public mutating func step(
    _ events: [MessagingEvent], at now: BootInstant, date: UTCInstant?
  ) -> MessagingResult {
    var result = MessagingResult()
    for event in events { result.append(step(event, at: now, date: date)) }
    return result
  }

  private mutating func handle(_ event: MessagingEvent, _ step: inout MessagingStep) {
    switch event {
    case .contacts(let contacts): changed(contacts, &step)
    case .wrote(let letter): letters.wrote(letter, &step)
    case .withdrew(let id): letters.withdrew(id, &step)
    case .read(let key): letters.read(key, &step)
    case .box(let box): letters.set(box, &step)
    case .removedBox(let id): letters.removeBox(id, &step)
    case .organized(let meeting): meetings.step(.organized(meeting), &step)
    case .guided(let group): groups.guide(group, &step)
    case .joined(let id): attend(id, .join, &step)
    case .left(let id): attend(id, .leave, &step)
    case .positioned(let location, let id): groups.positioned(location, in: id, &step)
    case .arrived(let topic, let payload): arrived(payload, topic, &step)
    case .imported(let message): letters.received(message, under: nil, &step)
    case .acknowledged(let topic, let payload): acknowledged(topic, payload, &step)
    case .forgotten:
      letters.republish(&step)
      groups.republish(&step)
      meetings.republish(&step)
    case .located(let location):
      letters.located(location, &step)
      meetings.located(location, &step)
      groups.located(location, &step)
    case .timePassed:
      letters.timePassed(&step)
      meetings.timePassed(&step)
      groups.timePassed(&step)
    }
  }

  // MARK: The owner's actions

  private mutating func changed(
    _ contacts: Contacts, _ step: inout MessagingStep
  ) {
    guard contacts != self.contacts else { return }
    self.contacts = contacts
    step.keep(.init(.contacts, "contacts"), contacts.bytes)
    letters.changed(contacts, &step)
    meetings.changed(contacts, &step)
    groups.changed(contacts, &step)
  }

  private mutating func attend(
    _ id: UniqueID, _ action: MembershipChange.Action, _ step: inout MessagingStep
  ) {
    if groups.attend(id, action, &step) { return }
    meetings.step(action == .join ? .join(id) : .leave(id), &step)
  }

  // MARK: From others

  private mutating func arrived(
    _ payload: [UInt8], _ text: String, _ step: inout MessagingStep
  ) {
    // An own message that is about to be replaced: its old version must not restore what was
    // removed.
    guard !step.queue.has(text) else { return }
    do throws(MessageError) {
      let topic = try MessageTopic(parsing: text)
      switch try topic.arrival(payload) {
      case .message(let message): received(message, topic, &step)
      case .cleared:
        letters.cleared(topic, &step)
        groups.cleared(topic, &step)
        meetings.cleared(topic, &step)
      }
    } catch {
      step.refuse("message on topic \(TerminalText.line(text))", error)
    }
  }

  private mutating func received(
    _ message: PeerMessage, _ topic: MessageTopic, _ step: inout MessagingStep
  ) {
    if let host = message.host, contacts.status(on: host, to: me) == .blocked {
      return step.refuse("message from \(host)", LetterRefusal.blocked.text(of: host))
    }
    letters.received(message, under: topic, &step)
    groups.received(message, under: topic, &step)
    meetings.received(message, under: topic, &step)
  }

  private mutating func acknowledged(
    _ topic: String, _ payload: [UInt8], _ step: inout MessagingStep
  ) {
    guard step.acknowledged(topic, payload) else {
      return letters.acknowledged(topic, payload, &step)
    }
    if MessageTopic.isReceipt(topic) { letters.sentReceipt(&step) }
  }
}
