import Core
import Places
import Records

/// Everything that one person exchanges with others: contacts, letters left at places (Landsmann
/// 2013, chapter 4), groups and meetings (Chughtai 2015, 4.3). Receives events and returns what is
/// to be stored and reported. It reads no clock and never blocks.
///
/// Everything to be sent is a retained message, the latest of its topic, so sending or receiving it
/// twice changes nothing.
public struct MessagingState: Sendable {
  public let me: PersonAddress
  /// Without a broker, letters are exchanged through files alone.
  private let hasBroker: Bool
  public private(set) var contacts: Contacts
  private var letters: LetterService
  private var meetings: MeetingList
  private var groups: GroupList
  private var queue = PublicationQueue()
  private var meetingsWake: BootInstant?
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
    var stored = StoredPeople()
    var groups = GroupList(of: me, at: here)
    for item in items {
      do throws(MessageError) {
        switch item.key.kind {
        case .group, .groupPublication: try groups.restore(item)
        case .publication: try queue.restore(item)
        case .contacts, .letter, .letterbox, .outgoingLetter, .meeting: try stored.restore(item)
        }
      } catch {
        remarks.append("\(item.key.kind.rawValue) \(item.key.name) cannot be read: \(error)")
      }
    }
    self.groups = groups
    contacts = stored.contacts
    self.groups.contacts = contacts
    letters = LetterService(of: me, restoring: stored)
    meetings = MeetingList(for: me, restoring: stored.meetings)
    meetings.contacts = contacts
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
    .earlier(letters.wake, .earlier(meetingsWake, groups.wake))
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
    let openAreas = contacts.welcome == .everybody ? areas : []
    return LetterTopics.subscriptions(of: me, around: openAreas)
      + GroupTopics.subscriptions(of: me, around: areas, joined: groups.joined)
  }

  /// The content of a letter file: what others are to receive from this person.
  public var letterFile: [LetterMessage] {
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
    _ event: PeopleEvent, at now: BootInstant, date: UTCInstant?
  ) -> PeopleStepResult {
    var step = PeopleStep(at: now, date: date, hasBroker: hasBroker, queue)
    if let id = event.announced, !queue.hasRoom {
      step.refuse(
        "\(id)",
        "so much has still to be sent that there is no room for more: let the uplink "
          + "reach its broker first")
    } else {
      handle(event, &step)
    }
    if !hasBroker { letters.clearWithoutBroker(&step) }
    letters.plan(step)
    queue = step.queue
    return step.result
  }

  /// Several events that have arrived together and are stored together.
  public mutating func step(
    _ events: [PeopleEvent], at now: BootInstant, date: UTCInstant?
  ) -> PeopleStepResult {
    var turn = PeopleStepResult()
    for event in events { turn.append(step(event, at: now, date: date)) }
    return turn
  }

  private mutating func handle(_ event: PeopleEvent, _ step: inout PeopleStep) {
    switch event {
    case .contacts(let contacts): changed(contacts, &step)
    case .wrote(let letter): letters.wrote(letter, &step)
    case .withdrew(let id): letters.withdrew(id, &step)
    case .read(let key): letters.handle(.read(key), &step)
    case .box(let box): letters.set(box, &step)
    case .removedBox(let id): letters.removeBox(id, &step)
    case .organized(let meeting): stepMeetings(.organized(meeting), &step)
    case .guided(let group): groups.guide(group, &step)
    case .joined(let id): attend(id, .join, &step)
    case .left(let id): attend(id, .leave, &step)
    case .arrived(let topic, let payload): arrived(payload, topic, &step)
    case .imported(let message): letters.imported(message, &step)
    case .acknowledged(let topic, let payload):
      letters.acknowledged(topic, payload, &step)
    case .forgotten: republish(&step)
    case .located(let location):
      letters.handle(.located(location), &step)
      stepMeetings(.located(location), &step)
      groups.located(location, &step)
    case .timePassed:
      letters.timePassed(&step)
      stepMeetings(.timePassed, &step)
      groups.timePassed(&step)
    }
  }

  // MARK: The owner's actions

  private mutating func changed(
    _ contacts: Contacts, _ step: inout PeopleStep
  ) {
    guard contacts != self.contacts else { return }
    self.contacts = contacts
    step.keep(StoredMessage(.init(.contacts, "contacts"), utf8: contacts.bytes))
    groups.contacts = contacts
    meetings.contacts = contacts
    letters.handle(.contacts(contacts), &step)
    stepMeetings(.blocked(contacts.blocked), &step)
    groups.drop(of: contacts.blocked, &step)
  }

  private mutating func attend(
    _ id: UniqueID, _ action: MembershipChange.Action, _ step: inout PeopleStep
  ) {
    if groups.attend(id, action, &step) { return }
    stepMeetings(action == .join ? .join(id) : .leave(id), &step)
  }

  // MARK: From others

  private mutating func arrived(
    _ payload: [UInt8], _ topic: String, _ step: inout PeopleStep
  ) {
    // An own message that is about to be replaced: its old version must not restore what was
    // removed.
    guard !step.queue.has(topic) else { return }
    do throws(MessageError) {
      if LetterTopics.isOne(topic) {
        letters.arrived(
          try LetterTopics.arrival(payload, under: topic), under: topic, &step)
      } else {
        switch try GroupTopics.arrival(payload, under: topic) {
        case .message(let message): received(message, topic, &step)
        case .groupRemoved(let id, let guide):
          groups.removed(id, by: guide, under: topic, &step)
        case .meetingRemoved(let id, let organizer):
          stepMeetings(.removed(id, by: organizer), &step)
        case .nothing: break
        }
      }
    } catch {
      step.refuse("a message under \(TerminalText.line(topic))", error)
    }
  }

  private mutating func received(
    _ message: GroupMessage, _ topic: String, _ step: inout PeopleStep
  ) {
    if let host = message.host, contacts.status(on: host, to: me) == .blocked {
      return step.refuse("a message of \(host)", LetterRefusal.Reason.blocked.text(of: host))
    }
    switch message {
    case .group(let group): groups.received(group, under: topic, &step)
    case .position(let position):
      // The broker returns one's own position too.
      guard position.person != me else { return }
      groups.received(.position(position), of: position.group, &step)
    case .meeting(let meeting): stepMeetings(.received(meeting), &step)
    case .attendance(let one):
      switch one.subject {
      case .group: groups.received(.attendance(one), of: one.id, &step)
      case .meeting: if one.person != me { stepMeetings(.attendance(one), &step) }
      }
    }
  }

  /// Publishes everything retained again; for recipients that already have it nothing changes.
  private mutating func republish(_ step: inout PeopleStep) {
    letters.republish(&step)
    groups.republish(&step)
    for publication in meetings.records.flatMap({ $0.publications(of: me, at: step.date) }) {
      step.publish(publication)
    }
  }

  // MARK: Letters, groups and meetings

  private mutating func stepMeetings(_ event: MeetingEvent, _ step: inout PeopleStep) {
    for effect in meetings.step(event, at: step.now, date: step.date) {
      switch effect {
      case .store(let record):
        step.keep(StoredMessage(.init(.meeting, "\(record.meeting.id)"), utf8: record.bytes))
      case .forget(let id): step.forget(.init(.meeting, "\(id)"))
      case .publish(let meeting, let under, let without):
        let payload = GroupMessage.meeting(meeting).bytes
        for topic in under { step.publish(Publication(topic: topic, payload: payload)) }
        for topic in without { step.publish(Publication(topic: topic)) }
      case .secure(let meeting):
        step.publish(
          Publication(
            topic: GroupTopics.ownTopic(of: meeting), payload: GroupMessage.meeting(meeting).bytes))
      case .release(let meeting):
        step.publish(Publication(topic: GroupTopics.ownTopic(of: meeting)))
      case .withdraw(_, let topics):
        for topic in topics { step.publish(Publication(topic: topic)) }
      case .send(let attendance, let organizer):
        step.publish(Publication(attendance, to: organizer))
      case .appeared(let meeting): step.report(.meetingAppeared(meeting))
      case .changed(let meeting, let changes):
        step.report(.meetingChanged(meeting, changes))
      case .over(let meeting, let end):
        step.report(.meetingOver(meeting, end))
        // The organizer no longer needs the list of attendees.
        let own = MembershipChange(.leave, .meeting, meeting.id, person: me, at: nil)
        step.publish(Publication(topic: GroupTopics.topic(of: own, to: meeting.organizer)))
      case .attended(let meeting, let one): step.report(.attended(meeting, one))
      case .refused(let id, let error): step.refuse("meeting \(id)", error)
      case .wake(let wake): meetingsWake = wake
      }
    }
  }
}
