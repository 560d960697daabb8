import Geodesy
import Groups
import Letters
import Notation
import People
import Places
import Quantities
import Records

/// Everything that one person exchanges with others: who is known, letters that lie at places
/// (Landsmann 2013, chapter 4), groups and meetings (Chughtai 2015, 4.3). Takes what has happened
/// and answers with what is to be stored and told. It reads no clock and waits for nothing.
///
/// All that is to be sent are retained messages, each the latest of its topic, so that whatever is
/// sent or comes twice changes nothing.
public struct PeopleDesk: Sendable {
  public let me: PersonAddress
  /// Whether anybody takes what is to be sent: without a broker, letters go by files alone.
  private let hasBroker: Bool
  public private(set) var contacts: Contacts
  private var letters: LetterDesk
  private var post: LetterPost
  private var meetings: MeetingDesk
  private var groups: GroupDesk
  private var book = PublicationBook()
  private var lettersWake: BootInstant?
  private var postWake: BootInstant?
  private var meetingsWake: BootInstant?
  /// What was stored and cannot be read, and why.
  public private(set) var remarks: [String] = []

  /// - Parameter items: as an earlier run has stored them. What cannot be read is told in
  ///   `remarks`, and left.
  public init(of me: PersonAddress, hasBroker: Bool, restoring items: [StoredMessage] = []) {
    self.me = me
    self.hasBroker = hasBroker
    var stored = StoredPeople()
    var groups = GroupDesk(of: me)
    for item in items {
      do throws(MessageError) {
        switch item.key.kind {
        case .group, .groupPublication: try groups.restore(item)
        case .publication: try book.restore(item)
        case .contacts, .letter, .letterbox, .outgoingLetter, .meeting: try stored.take(item)
        }
      } catch {
        remarks.append("\(item.key.kind.rawValue) \(item.key.name) cannot be read: \(error)")
      }
    }
    self.groups = groups
    contacts = stored.contacts
    letters = LetterDesk(
      for: me, contacts: contacts, restoring: stored.letters, boxes: stored.letterboxes)
    post = LetterPost(of: me, restoring: stored.outgoing)
    meetings = MeetingDesk(for: me, restoring: stored.meetings)
  }

  // MARK: What is known

  public var letterRecords: [LetterRecord] { letters.records }
  public var letterboxes: [Letterbox] { letters.letterboxes }
  public var outgoing: [OutgoingLetter] { post.all }
  public var meetingRecords: [MeetingRecord] { meetings.records }
  public var groupStates: [GroupState] { groups.all }

  public func visibleMeetings(at date: UTCInstant) -> [Meeting] { meetings.visible(at: date) }
  public func isInGroup(_ id: UniqueID) -> Bool { groups.isIn(id) }

  /// When the next step is due by itself.
  public var wake: BootInstant? {
    BootInstant.earlier(
      .earlier(lettersWake, postWake), .earlier(meetingsWake, groups.wake))
  }

  /// What has still to be sent: after a restart or a lost connection all of it again.
  public var pending: [Publication] {
    post.pending.map { Publication(topic: $0.topic, payload: $0.payload) } + book.all
  }

  /// Where to listen.
  /// - Parameter position: where the board is, about; nil: only what is for this person is heard.
  public func subscriptions(around position: Coordinate?) -> [String] {
    let areas = position.flatMap { TopicArea.covering(TopicArea.box(around: $0)) } ?? []
    let openAreas = contacts.welcome == .everybody ? areas : []
    return LetterTopics.subscriptions(of: me, around: openAreas)
      + GroupTopics.subscriptions(of: me, around: areas, joined: groups.joined)
  }

  /// For a file: what others are to get of this person.
  public var letterFile: [LetterMessage] {
    letterboxes.filter { $0.owner == me }.map { .box($0) } + post.all.map(\.message)
      + book.receipts.map { .receipt($0) }
  }

  // MARK: Where the board has to be looked for

  /// Where a step into it would be news: a letter's circle, the region of a meeting.
  public func targets(around position: Coordinate, date: UTCInstant?) -> [PlaceReach.Candidate] {
    letters.circles(around: position).map { circle in
      PlaceReach.Candidate(
        PlaceRegion(.circle(radius: circle.surroundings.radius), around: circle.centre))
    } + meetings.regionsAhead(at: date).map { PlaceReach.Candidate($0) }
  }

  /// Whether a group asks for where this person is, and how well it has to be known.
  public var wantedAccuracy: Metres? {
    groups.wanting.compactMap { groups[$0]?.group.range }.min().map { min($0 / 4, 100) }
  }

  // MARK: What happens

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: of now; nil: it is not known.
  public mutating func step(
    _ event: PeopleEvent, at now: BootInstant, date: UTCInstant?
  ) -> PeopleTurn {
    var turn = PeopleTurn()
    let moment = Moment(now: now, date: MessageCheck.believable(date))
    switch event {
    case .contacts(let contacts): changed(contacts, moment, &turn)
    case .wrote(let letter): wrote(letter, moment, &turn)
    case .withdrew(let id): withdrew(id, moment, &turn)
    case .read(let key): take(.read(key), moment, &turn)
    case .box(let box): set(box, moment, &turn)
    case .removedBox(let id): remove(id, moment, &turn)
    case .organized(let meeting): meet(.organized(meeting), moment, &turn)
    case .guided(let group): groups.guide(group, now, moment.date, &turn, &book)
    case .joined(let id): attend(id, .join, moment, &turn)
    case .left(let id): attend(id, .leave, moment, &turn)
    case .arrived(let topic, let payload): arrived(payload, topic, moment, &turn)
    case .imported(let message): imported(message, moment, &turn)
    case .acknowledged(let topic, let payload): acknowledged(topic, payload, moment, &turn)
    case .located(let location):
      take(.located(location), moment, &turn)
      meet(.located(location), moment, &turn)
      groups.located(location, now, moment.date, &turn, &book)
    case .timePassed:
      take(.timePassed, moment, &turn)
      send(.timePassed, moment, &turn)
      meet(.timePassed, moment, &turn)
      groups.timePassed(now, moment.date, &turn, &book)
    }
    if !hasBroker { clearWithoutBroker(moment, &turn) }
    postWake = moment.date.flatMap { date in post.nextEnd.map { now + ($0 - date) } }
    return turn
  }

  private struct Moment {
    let now: BootInstant
    let date: UTCInstant?
  }

  // MARK: Of the owner's

  private mutating func changed(
    _ contacts: Contacts, _ moment: Moment, _ turn: inout PeopleTurn
  ) {
    guard contacts != self.contacts else { return }
    self.contacts = contacts
    turn.keep(StoredMessage(.init(.contacts, "contacts"), utf8: contacts.bytes))
    take(.contacts(contacts), moment, &turn)
  }

  private mutating func wrote(_ letter: Letter, _ moment: Moment, _ turn: inout PeopleTurn) {
    send(.written(letter), moment, &turn)
    guard turn.refusals.isEmpty else { return }
    // Its id alone could be that of somebody else's letter, too.
    for record in letters.records
    where record.key.id == letter.answers && letter.to.include(record.key.from) {
      take(.answered(record.key), moment, &turn)
    }
    // A note to oneself needs no broker.
    if case .people(let people) = letter.to, people.contains(me) {
      take(.arrived(letter), moment, &turn)
    }
  }

  private mutating func withdrew(
    _ id: UniqueID, _ moment: Moment, _ turn: inout PeopleTurn
  ) {
    send(.withdrawn(id), moment, &turn)
    // A note to oneself waits here, too.
    let key = LetterKey(id, from: me)
    if letters.records.contains(where: { $0.key == key && $0.standing == .waiting }) {
      take(.withdrawn(LetterWithdrawal(key)), moment, &turn)
    }
  }

  private mutating func set(_ box: Letterbox, _ moment: Moment, _ turn: inout PeopleTurn) {
    guard box.owner == me else {
      return turn.refuse("letterbox \(box.id)", "it is \(box.owner)'s: make one as \(me)", "owner")
    }
    let before = letterboxes.first { $0.id == box.id }
    take(.box(box), moment, &turn)
    guard turn.refusals.isEmpty else { return }
    let topics = LetterTopics.topics(of: box)
    for topic in topics {
      book.lay(Publication(topic: topic, payload: LetterMessage.box(box).bytes), &turn)
    }
    for topic in before.map(LetterTopics.topics) ?? [] where !topics.contains(topic) {
      book.lay(Publication(topic: topic), &turn)
    }
  }

  private mutating func remove(_ id: UniqueID, _ moment: Moment, _ turn: inout PeopleTurn) {
    guard let box = letterboxes.first(where: { $0.id == id && $0.owner == me }) else {
      return turn.refuse("letterbox \(id)", "there is none of that id that is \(me)'s", "id")
    }
    take(.boxRemoved(id, by: me), moment, &turn)
    for topic in LetterTopics.topics(of: box) { book.lay(Publication(topic: topic), &turn) }
  }

  private mutating func attend(
    _ id: UniqueID, _ deed: Attendance.Deed, _ moment: Moment, _ turn: inout PeopleTurn
  ) {
    if groups.attend(id, deed, moment.now, moment.date, &turn, &book) { return }
    meet(deed == .join ? .join(id) : .leave(id), moment, &turn)
  }

  // MARK: From others

  private mutating func arrived(
    _ payload: [UInt8], _ topic: String, _ moment: Moment, _ turn: inout PeopleTurn
  ) {
    // Of this person's own, and about to be replaced: what was taken away must not come back by it.
    guard !book.has(topic) else { return }
    do throws(MessageError) {
      if LetterTopics.isOne(topic) {
        switch try LetterTopics.arrival(payload, under: topic) {
        case .letter(let letter): take(.arrived(letter), moment, &turn)
        case .withdrawn(let withdrawal): take(.withdrawn(withdrawal), moment, &turn)
        case .box(let box): take(.box(box), moment, &turn)
        case .boxRemoved(let id, let owner):
          // Its owner's own board has removed it already, or never will.
          if owner != me { take(.boxRemoved(id, by: owner), moment, &turn) }
        case .receipt(let receipt): heard(receipt, moment, &turn)
        case .nothing: break
        }
      } else {
        switch try GroupTopics.arrival(payload, under: topic) {
        case .message(let message): heard(message, topic, moment, &turn)
        case .groupRemoved(let id, let guide):
          groups.removed(id, by: guide, under: topic, &turn, &book)
        case .meetingRemoved(let id, let organizer):
          meet(.removed(id, by: organizer), moment, &turn)
        case .nothing: break
        }
      }
    } catch {
      turn.refuse("a message under \(TerminalText.line(topic))", error)
    }
  }

  private mutating func imported(
    _ message: LetterMessage, _ moment: Moment, _ turn: inout PeopleTurn
  ) {
    switch message {
    case .letter(let letter): take(.arrived(letter), moment, &turn)
    case .box(let box): take(.box(box), moment, &turn)
    case .receipt(let receipt): heard(receipt, moment, &turn)
    case .withdrawal(let withdrawal): take(.withdrawn(withdrawal), moment, &turn)
    }
  }

  private mutating func heard(
    _ receipt: LetterReceipt, _ moment: Moment, _ turn: inout PeopleTurn
  ) {
    if receipt.by == me { take(.receipt(receipt), moment, &turn) }
    if receipt.to == me { send(.receipt(receipt), moment, &turn) }
  }

  private mutating func heard(
    _ message: GroupMessage, _ topic: String, _ moment: Moment, _ turn: inout PeopleTurn
  ) {
    let (now, date) = (moment.now, moment.date)
    if let host = message.host, contacts.verdict(on: host, to: me) == .blocked {
      return turn.refuse("a message of \(host)", LetterRefusal.Reason.blocked.text)
    }
    switch message {
    case .group(let group): groups.heard(group, under: topic, now, date, &turn, &book)
    case .position(let position):
      // One's own comes back over a broker.
      guard position.person != me else { return }
      groups.heard(.position(position), of: position.group, now, date, &turn, &book)
    case .meeting(let meeting): meet(.heard(meeting), moment, &turn)
    case .attendance(let one):
      switch one.subject {
      case .group: groups.heard(.attendance(one), of: one.id, now, date, &turn, &book)
      case .meeting: if one.person != me { meet(.attendance(one), moment, &turn) }
      }
    }
  }

  private mutating func acknowledged(
    _ topic: String, _ payload: [UInt8], _ moment: Moment, _ turn: inout PeopleTurn
  ) {
    guard !book.acknowledged(topic, payload, &turn) else { return }
    let parcel = post.pending.first { $0.topic == topic && $0.payload == payload }
    if let parcel { send(.acknowledged(parcel), moment, &turn) }
  }

  /// What nobody has, nobody has to be told to give up, other than by a file.
  private mutating func clearWithoutBroker(_ moment: Moment, _ turn: inout PeopleTurn) {
    let told = post.takenBack(at: moment.date)
    for parcel in post.pending where parcel.payload.isEmpty && !told.contains(parcel.letter) {
      send(.acknowledged(parcel), moment, &turn)
    }
  }

  // MARK: The desks

  private mutating func take(_ event: LetterEvent, _ moment: Moment, _ turn: inout PeopleTurn) {
    for effect in letters.step(event, at: moment.now, date: moment.date) {
      switch effect {
      case .store(let record):
        turn.keep(StoredMessage(.letter(record.key), utf8: record.bytes))
      case .forget(let key): turn.forget(.letter(key))
      case .storeBox(let box):
        turn.keep(
          StoredMessage(.init(.letterbox, "\(box.id)"), utf8: LetterMessage.box(box).bytes))
      case .removeBox(let id): turn.forget(.init(.letterbox, "\(id)"))
      case .notice(let notice):
        let meant = letters.records.filter { notice.letters.contains($0.key) }
        turn.news.append(.near(meant.compactMap(\.letter), at: notice.place))
      case .delivered(let letter):
        turn.news.append(.delivered(letter))
        if letter.from == me { found(letter, moment, &turn) }
      case .refused(let refusal):
        turn.refuse(
          "letter \(refusal.letter.id) of \(refusal.letter.from)", refusal.reason.text)
      case .boxRefused(let id, let error): turn.refuse("letterbox \(id)", error)
      case .send(let receipt): book.lay(Publication(receipt), &turn)
      case .wake(let wake): lettersWake = wake
      }
    }
  }

  /// A note to oneself need not lie anywhere any more, nor be found by another board.
  private mutating func found(_ letter: Letter, _ moment: Moment, _ turn: inout PeopleTurn) {
    guard
      let receipt = try? LetterReceipt(
        letter: letter.id, to: me, by: me, .delivered, at: moment.date)
    else { return }
    book.lay(Publication(receipt), &turn)
    send(.receipt(receipt), moment, &turn)
  }

  private mutating func send(_ event: PostEvent, _ moment: Moment, _ turn: inout PeopleTurn) {
    for effect in post.step(event, date: moment.date) {
      switch effect {
      case .store(let letter):
        turn.keep(
          StoredMessage(.init(.outgoingLetter, "\(letter.letter.id)"), utf8: letter.bytes))
      case .forget(let id): turn.forget(.init(.outgoingLetter, "\(id)"))
      case .refused(let id, let error): turn.refuse("letter \(id)", error)
      // Who has come to a note of his own knows it.
      case .told(let receipt): if receipt.by != me { turn.news.append(.receipt(receipt)) }
      case .send: turn.hasMail = true
      }
    }
  }

  private mutating func meet(_ event: MeetingEvent, _ moment: Moment, _ turn: inout PeopleTurn) {
    for effect in meetings.step(event, at: moment.now, date: moment.date) {
      switch effect {
      case .store(let record):
        turn.keep(StoredMessage(.init(.meeting, "\(record.meeting.id)"), utf8: record.bytes))
      case .forget(let id): turn.forget(.init(.meeting, "\(id)"))
      case .publish(let meeting, let under, let without):
        let payload = GroupMessage.meeting(meeting).bytes
        for topic in under { book.lay(Publication(topic: topic, payload: payload), &turn) }
        for topic in without { book.lay(Publication(topic: topic), &turn) }
      case .withdraw(_, let topics):
        for topic in topics { book.lay(Publication(topic: topic), &turn) }
      case .send(let attendance): send(attendance, &turn)
      case .appeared(let meeting): turn.news.append(.meetingAppeared(meeting))
      case .changed(let meeting, let changes):
        turn.news.append(.meetingChanged(meeting, changes))
      case .over(let meeting, let end):
        turn.news.append(.meetingOver(meeting, end))
        // Nobody needs to know any more who came.
        let own = Attendance(.leave, .meeting, meeting.id, person: me, at: nil)
        book.lay(Publication(topic: GroupTopics.topic(of: own, to: meeting.organizer)), &turn)
      case .attended(let meeting, let one): turn.news.append(.attended(meeting, one))
      case .refused(let id, let error): turn.refuse("meeting \(id)", error)
      case .wake(let wake): meetingsWake = wake
      }
    }
  }

  private mutating func send(_ attendance: Attendance, _ turn: inout PeopleTurn) {
    let record = meetings.records.first { $0.meeting.id == attendance.id }
    guard let organizer = record?.meeting.organizer else { return }
    book.lay(Publication(attendance, to: organizer), &turn)
  }
}
