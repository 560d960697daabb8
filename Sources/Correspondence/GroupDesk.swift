import Groups
import Notation
import People
import Quantities
import Records

/// The groups that one person guides, is in, or could join: each is watched by every board of its
/// members, so that none depends on another's being there.
struct GroupDesk: Sendable {
  /// Those that were found and not joined make room first.
  private static let most = 64

  let me: PersonAddress
  private var watches: [UniqueID: GroupWatch] = [:]
  private var publications: [UniqueID: GroupPublication] = [:]
  private var wakes: [UniqueID: BootInstant] = [:]
  /// Where this person's own position is wanted.
  private(set) var wanting: Set<UniqueID> = []
  private var last: Location?
  /// Under which topics a group was heard: one that is found around moves from area to area.
  private var heardUnder: [UniqueID: Set<String>] = [:]

  init(of me: PersonAddress) { self.me = me }

  // MARK: What is known

  var all: [GroupState] {
    watches.values.map(\.state).sorted {
      ($0.group.name, $0.group.id) < ($1.group.name, $1.group.id)
    }
  }
  var wake: BootInstant? { wakes.values.min() }

  subscript(_ id: UniqueID) -> GroupState? { watches[id]?.state }

  /// Whether this person takes part.
  func isIn(_ id: UniqueID) -> Bool {
    guard let state = watches[id]?.state else { return false }
    return state.group.guide == me || state.members.contains { $0.person == me }
  }

  /// Those in which this person takes part, and that go on.
  var joined: [UniqueID] {
    watches.keys.filter { isIn($0) && watches[$0]?.state.isEnded == false }.sorted()
  }

  // MARK: What this person does

  mutating func guide(
    _ group: Group, _ now: BootInstant, _ date: UTCInstant?, _ turn: inout PeopleTurn,
    _ book: inout PublicationBook
  ) {
    guard group.guide == me else {
      return turn.refuse("group \(group.id)", "it is \(group.guide)'s: guide one as \(me)", "guide")
    }
    if let known = watches[group.id] {
      guard known.group.guide == me, group.revision > known.group.revision else {
        return turn.refuse(
          "group \(group.id)",
          "there is revision \(known.group.revision) already: give a higher "
            + "one, or a new id", "revision")
      }
      step(group.id, .changed(group), now, date, &turn, &book)
    } else {
      guard makeRoom(&turn) else {
        return turn.refuse(
          "group \(group.id)", "there are \(Self.most) groups, and no room for more: leave some",
          "id")
      }
      watches[group.id] = GroupWatch(group)
      turn.keep(watches[group.id])
      // One that goes on after all: that it has ended must not be heard of by who joins.
      if group.revision > 1 { book.lay(Publication(topic: endTopic(of: group)), &turn) }
      step(group.id, .timePassed, now, date, &turn, &book)
    }
    publish(group.id, date, &turn, &book)
  }

  /// - Returns: whether there is such a group.
  mutating func attend(
    _ id: UniqueID, _ deed: Attendance.Deed, _ now: BootInstant, _ date: UTCInstant?,
    _ turn: inout PeopleTurn, _ book: inout PublicationBook
  ) -> Bool {
    guard let watch = watches[id] else { return false }
    guard watch.group.guide != me else {
      turn.refuse("group \(id)", "it is \(me)'s own: end it instead", "id")
      return true
    }
    guard isIn(id) != (deed == .join) else {
      turn.refuse("group \(id)", deed == .join ? "it is joined already" : "it was not joined", "id")
      return true
    }
    let attendance = Attendance(deed, .group, id, person: me, at: date)
    step(id, .attendance(attendance), now, date, &turn, &book)
    guard isIn(id) == (deed == .join) else { return true }
    book.lay(Publication(attendance, to: watch.group.guide), &turn)
    if deed == .leave {
      wanting.remove(id)
    } else if let last {
      tell(last, id, now, date, &turn, &book)
    }
    return true
  }

  // MARK: What comes from others

  mutating func heard(
    _ group: Group, under topic: String, _ now: BootInstant, _ date: UTCInstant?,
    _ turn: inout PeopleTurn,
    _ book: inout PublicationBook
  ) {
    if let known = watches[group.id]?.group {
      if known.guide == group.guide { heardUnder[group.id, default: []].insert(topic) }
      return step(group.id, .changed(group), now, date, &turn, &book)
    }
    guard group.guide == me || group.allowed.admits(me) else {
      return turn.refuse("group \(group.id)", "it is for others: it is not kept", "allowed")
    }
    if let date, let ends = group.ends, date >= ends { return }
    guard makeRoom(&turn) else { return }
    watches[group.id] = GroupWatch(group)
    heardUnder[group.id] = [topic]
    turn.keep(watches[group.id])
    step(group.id, .timePassed, now, date, &turn, &book)
  }

  mutating func heard(
    _ event: GroupEvent, of id: UniqueID, _ now: BootInstant, _ date: UTCInstant?,
    _ turn: inout PeopleTurn, _ book: inout PublicationBook
  ) {
    guard watches[id] != nil else { return }
    step(id, event, now, date, &turn, &book)
  }

  /// A guide takes an open group away from where it has gone from, and one for some people from
  /// whom it is not for any more. Who is in an open one is told of its end by its guide.
  mutating func removed(
    _ id: UniqueID, by guide: PersonAddress, under topic: String, _ turn: inout PeopleTurn,
    _ book: inout PublicationBook
  ) {
    guard let watch = watches[id], watch.group.guide == guide, guide != me else { return }
    heardUnder[id]?.remove(topic)
    guard isIn(id) else {
      if heardUnder[id]?.isEmpty ?? true { forget(id, &turn) }
      return
    }
    guard !GroupTopics.isOfArea(topic), watch.group.allowed != .everybody else { return }
    turn.news.append(.group(watch.group, .ended))
    sweep(watch.group, &turn, &book)
    forget(id, &turn)
  }

  // MARK: What the board notices

  mutating func located(
    _ location: Location, _ now: BootInstant, _ date: UTCInstant?, _ turn: inout PeopleTurn,
    _ book: inout PublicationBook
  ) {
    last = location
    for id in joined { tell(location, id, now, date, &turn, &book) }
  }

  mutating func timePassed(
    _ now: BootInstant, _ date: UTCInstant?, _ turn: inout PeopleTurn,
    _ book: inout PublicationBook
  ) {
    for id in watches.keys.sorted() where wakes[id].map({ now >= $0 }) ?? true {
      step(id, .timePassed, now, date, &turn, &book)
    }
  }

  /// Tells the group where this person is, no more often than it asks for.
  private mutating func tell(
    _ location: Location, _ id: UniqueID, _ now: BootInstant, _ date: UTCInstant?,
    _ turn: inout PeopleTurn, _ book: inout PublicationBook
  ) {
    guard let watch = watches[id], !watch.state.isEnded,
      let position = try? GroupPosition(
        location.position, accuracy: location.accuracy, at: location.time, of: me, in: id)
    else { return }
    if let told = ownPosition(id), position.time - told.time < watch.group.pause / 2 { return }
    wanting.remove(id)
    step(id, .position(position), now, date, &turn, &book)
    book.lay(
      Publication(
        topic: GroupTopics.topic(of: position), payload: GroupMessage.position(position).bytes),
      &turn)
    publish(id, date, &turn, &book)
  }

  private func ownPosition(_ id: UniqueID) -> GroupPosition? {
    guard let state = watches[id]?.state else { return nil }
    if state.group.guide == me { return state.guidePosition }
    return state.members.first { $0.person == me }?.member.last
  }

  // MARK: Steps

  private mutating func step(
    _ id: UniqueID, _ event: GroupEvent, _ now: BootInstant, _ date: UTCInstant?,
    _ turn: inout PeopleTurn, _ book: inout PublicationBook
  ) {
    let wasIn = isIn(id)
    guard let effects = watches[id]?.step(event, at: now, date: date) else { return }
    // Of a group in which somebody takes no part only its being there counts.
    let counts = wasIn || isIn(id)
    for effect in effects {
      switch effect {
      case .store: turn.keep(watches[id])
      case .told(let news) where counts:
        if let group = watches[id]?.group, !isOwn(news, event) {
          turn.news.append(.group(group, news))
        }
      case .told: break
      case .refused(let person, let error):
        turn.refuse("group \(id), \(person)", error)
      case .ask(let people) where counts && people.contains(me): wanting.insert(id)
      case .ask: break
      case .wake(let wake): wakes[id] = wake
      }
    }
    guard let watch = watches[id], watch.state.isEnded else {
      if wasIn, !isIn(id) { hide(id, &turn, &book) }
      return
    }
    publish(id, date, &turn, &book)
    if counts { sweep(watch.group, &turn, &book) }
    if watch.group.guide == me {
      let end = Attendance(.leave, .group, id, person: me, at: date)
      book.lay(Publication(end, to: me), &turn)
    }
    forget(id, &turn)
  }

  /// Under which its guide says that it is over.
  private func endTopic(of group: Group) -> String {
    GroupTopics.topic(
      of: Attendance(.leave, .group, group.id, person: group.guide, at: nil), to: group.guide)
  }

  /// Nobody is to know any more where this person is.
  private func hide(_ id: UniqueID, _ turn: inout PeopleTurn, _ book: inout PublicationBook) {
    book.lay(Publication(topic: GroupTopics.positionTopic(of: me, in: id)), &turn)
  }

  /// Leaves nothing of this person at a group that is over.
  private func sweep(
    _ group: Group, _ turn: inout PeopleTurn, _ book: inout PublicationBook
  ) {
    hide(group.id, &turn, &book)
    guard group.guide != me else { return }
    let attendance = Attendance(.leave, .group, group.id, person: me, at: nil)
    book.lay(Publication(topic: GroupTopics.topic(of: attendance, to: group.guide)), &turn)
  }

  /// What somebody has done need not be told to that person.
  private func isOwn(_ news: GroupNews, _ event: GroupEvent) -> Bool {
    guard case .attendance = event else { return false }
    switch news {
    case .joined(let person), .left(let person): return person == me
    default: return false
    }
  }

  /// Has the guide's own group found by who is around.
  private mutating func publish(
    _ id: UniqueID, _ date: UTCInstant?, _ turn: inout PeopleTurn, _ book: inout PublicationBook
  ) {
    guard let watch = watches[id], watch.group.guide == me else { return }
    var publication = publications[id] ?? GroupPublication()
    let order = publication.update(
      watch.group, guide: watch.state.guidePosition?.position, isOver: watch.state.isEnded)
    guard let order else { return }
    publications[id] = publication
    turn.keep(StoredMessage(.init(.groupPublication, "\(id)"), utf8: publication.bytes))
    let payload = GroupMessage.group(order.group).bytes
    for topic in order.under { book.lay(Publication(topic: topic, payload: payload), &turn) }
    for topic in order.without { book.lay(Publication(topic: topic), &turn) }
  }

  // MARK: Room

  private mutating func makeRoom(_ turn: inout PeopleTurn) -> Bool {
    guard watches.count >= Self.most else { return true }
    guard let idle = watches.keys.sorted().first(where: { !isIn($0) }) else { return false }
    forget(idle, &turn)
    return true
  }

  private mutating func forget(_ id: UniqueID, _ turn: inout PeopleTurn) {
    watches[id] = nil
    wakes[id] = nil
    heardUnder[id] = nil
    wanting.remove(id)
    turn.forget(.init(.group, "\(id)"))
    if publications.removeValue(forKey: id) != nil {
      turn.forget(.init(.groupPublication, "\(id)"))
    }
  }

  mutating func restore(_ item: StoredMessage) throws(MessageError) {
    let bytes = Array(item.text.utf8)
    if item.key.kind == .group {
      let state = try GroupState(bytes)
      watches[state.group.id] = GroupWatch(restoring: state)
    } else if let id = UniqueID(item.key.name) {
      publications[id] = try GroupPublication(bytes)
    }
  }
}

extension PeopleTurn {
  fileprivate mutating func keep(_ watch: GroupWatch?) {
    guard let state = watch?.state else { return }
    keep(StoredMessage(.init(.group, "\(state.group.id)"), utf8: state.bytes))
  }
}
