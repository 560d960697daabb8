import Core
import Places
import Records

/// Meetings for one person: which are visible here and now, which were joined, and what has changed
/// in those (Chughtai 2015, 4.3.1). Nothing is reported of a meeting that is not visible, not even
/// its existence.
public struct MeetingList: Sendable {
  /// The probability from which the board counts as inside a region, and below which it has left.
  private static let sureInside = 0.5
  private static let stillInside = 0.05
  /// How long a late revision may still arrive.
  private static let late: Seconds = .days(1)

  public let me: PersonAddress
  /// Meetings of unknown people are dropped before those of contacts.
  public var contacts = Contacts()
  private var known: [UniqueID: MeetingRecord]
  /// Built on demand: a region with many corners is expensive.
  private var regions: [UniqueID: PlaceRegion] = [:]
  private var last: Location?
  private var plannedWake: BootInstant?
  private var notices = MeetingNotices()

  /// - Parameter records: as an earlier run has stored them.
  public init(for me: PersonAddress, restoring records: [MeetingRecord] = []) {
    self.me = me
    known = Dictionary(records.map { ($0.meeting.id, $0) }) { first, _ in first }
  }

  // MARK: What is known

  public var records: [MeetingRecord] { known.values.sorted { $0.meeting.id < $1.meeting.id } }

  /// The meetings that can be seen: those held nearby now, and those that were joined.
  public func visible(at date: UTCInstant) -> [Meeting] {
    records.filter { isVisible($0, at: date) }.map(\.meeting)
  }

  /// The regions of current meetings that are not visible yet; entering one would be an event.
  public func regionsAhead(at date: UTCInstant?) -> [PlaceRegion] {
    guard let date else { return [] }
    return records.filter { record in
      !record.isOver && !record.isInside && !record.isShown && !record.isJoined
        && record.meeting.organizer != me && record.meeting.isOn(at: date)
    }.map { regions[$0.meeting.id] ?? $0.meeting.region.region }
  }

  private func isVisible(_ record: MeetingRecord, at date: UTCInstant) -> Bool {
    guard !record.isOver, record.meeting.isOn(at: date) else { return false }
    return record.isJoined || record.isInside || record.meeting.organizer == me
  }

  // MARK: What happens

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: of now; nil: it is not known, and nothing is shown then.
  public mutating func step(
    _ event: MeetingEvent, at now: BootInstant, date: UTCInstant?
  ) -> [MeetingEffect] {
    let before = known
    let date = MessageCheck.plausible(date)
    var told: [MeetingEffect] = []
    switch event {
    case .organized(let meeting): organized(meeting, date, &told)
    case .received(let meeting): received(meeting, date, &told)
    case .removed(let id, let organizer): removed(id, by: organizer, &told)
    case .located(let location): located(location)
    case .join(let id): join(id, date, &told)
    case .leave(let id): leave(id, date, &told)
    case .blocked(let people): drop(of: people, date, &told)
    case .attendance(let attendance): received(attendance, date, &told)
    case .timePassed: break
    }
    if let date { keepTime(date, &told) }
    secure(since: before, date, &told)
    plan(now, date, &told)
    return changes(since: before) + told
  }

  private func changes(since before: [UniqueID: MeetingRecord]) -> [MeetingEffect] {
    Set(before.keys).union(known.keys).sorted().compactMap { id in
      guard before[id] != known[id] else { return nil }
      return known[id].map { .store($0) } ?? .forget(id)
    }
  }

  // MARK: Own meetings

  /// The loss of a board must not lose its owner's meetings, whether they have begun or not.
  private mutating func secure(
    since before: [UniqueID: MeetingRecord], _ date: UTCInstant?, _ told: inout [MeetingEffect]
  ) {
    for record in records where record.meeting.organizer == me {
      let meeting = record.meeting
      // A cancelled meeting stays published there until its end, so that no other board revives it.
      let revision = date.map { $0 >= meeting.ends } ?? false ? nil : meeting.revision
      guard record.secured != revision else { continue }
      known[meeting.id]?.secured = revision
      told.append(revision == nil ? .release(meeting) : .secure(meeting))
    }
    let gone = before.values.filter { known[$0.meeting.id] == nil && $0.secured != nil }
    for record in gone.sorted(by: { $0.meeting.id < $1.meeting.id }) {
      told.append(.release(record.meeting))
    }
  }

  private mutating func organized(
    _ meeting: Meeting, _ date: UTCInstant?, _ told: inout [MeetingEffect]
  ) {
    guard meeting.organizer == me else {
      return refuse(
        meeting.id, "it is \(meeting.organizer)'s: hold one as \(me)", at: "organizer", &told)
    }
    if let record = known[meeting.id] {
      guard record.meeting.organizer == me, meeting.revision > record.meeting.revision else {
        return refuse(
          meeting.id,
          "there is revision \(record.meeting.revision) of \(record.meeting.organizer)'s already: "
            + "give a higher one, or a new id", at: "revision", &told)
      }
    }
    guard date.map({ $0 < meeting.ends }) ?? true else {
      return refuse(meeting.id, "it is over already: give a later time", at: "ends", &told)
    }
    update(meeting)
    guard makeRoom(for: meeting) else {
      return refuse(
        meeting.id,
        "\(GroupLimits.meetings) meetings are joined or one's own, and no more can be: leave some, "
          + "or wait until some are over", at: "id", &told)
    }
  }

  /// Makes a meeting visible at its start, publishes later changes, and withdraws it at its end.
  private mutating func publish(
    _ record: MeetingRecord, _ date: UTCInstant, _ told: inout [MeetingEffect]
  ) {
    let meeting = record.meeting
    var changed = record
    if date >= meeting.ends || (meeting.isCancelled && record.published == nil) {
      if record.published != nil {
        told.append(.withdraw(meeting.id, from: record.topics))
      }
      changed.topics = []
      changed.isOver = true
    } else if record.published != meeting.revision,
      date >= meeting.starts || record.published != nil
    {
      let topics = GroupTopics.topics(of: meeting)
      let own = GroupTopics.ownTopic(of: meeting)
      let without = record.topics.filter { !topics.contains($0) && $0 != own }
      changed.published = meeting.revision
      changed.topics = topics
      told.append(.publish(meeting, under: topics, without: without))
    }
    known[meeting.id] = changed
  }

  private mutating func received(
    _ attendance: MembershipChange, _ date: UTCInstant?, _ told: inout [MeetingEffect]
  ) {
    guard attendance.subject == .meeting, let record = known[attendance.id],
      record.meeting.organizer == me, !record.isOver
    else {
      return refuse(attendance.id, "no meeting of that id is held by \(me)", at: "id", &told)
    }
    let (person, before) = (attendance.person, record.people[attendance.person])
    guard person != me, attendance.isLater(after: before?.at, date: date) else { return }
    let (isJoining, hasJoined) = (attendance.action == .join, before?.action == .join)
    // A person who never joined must not displace those who did.
    guard isJoining || before != nil else { return }
    if isJoining {
      guard record.meeting.admits(person) else {
        return refuse(attendance.id, "\(person) is not invited", at: "person", &told)
      }
      guard hasJoined || record.attendees.count < GroupLimits.people else {
        return refuse(
          attendance.id, "\(GroupLimits.people) have joined, and no more can", at: "person", &told)
      }
    }
    known[attendance.id]?.people[person] = attendance
    known[attendance.id]?.people.forgetFormer(\.at) { $0.action == .leave }
    if isJoining != hasJoined { told.append(.attended(record.meeting, attendance)) }
  }

  // MARK: Meetings of others

  private mutating func received(
    _ meeting: Meeting, _ date: UTCInstant?, _ told: inout [MeetingEffect]
  ) {
    guard let record = known[meeting.id] else {
      // Too late to matter, except for the organizer, who has to remove it.
      if let date, date >= meeting.ends, meeting.organizer != me { return }
      guard meeting.admits(me) else {
        return refuse(meeting.id, "others are invited: it is not kept", at: "invited", &told)
      }
      update(meeting)
      guard makeRoom(for: meeting) else {
        return refuse(
          meeting.id,
          "others have the room: \(GroupLimits.meetingsPerOrganizer) of one organizer are kept, "
            + "and \(GroupLimits.meetings) in all", at: "id", &told)
      }
      if meeting.organizer == me { published(meeting, date) }
      return
    }
    guard record.meeting.organizer == meeting.organizer else {
      return refuse(
        meeting.id, "it is \(record.meeting.organizer)'s: only that person changes it",
        at: "organizer", &told)
    }
    guard meeting.revision > record.meeting.revision else { return }
    update(meeting)
    if meeting.organizer == me { published(meeting, date) }
    guard !record.isOver else { return revive(meeting, date) }
    guard meeting.organizer != me else { return }
    if meeting.isCancelled {
      end(meeting.id, .cancelled, &told)
    } else if !meeting.admits(me) {
      end(meeting.id, .uninvited, &told)
    } else {
      let changes = MeetingChange.between(record.meeting, meeting)
      if record.isJoined, !changes.isEmpty { told.append(.changed(meeting, changes)) }
    }
  }

  /// Another board of this person has organized it. Once it is visible to others, that board has
  /// published it.
  private mutating func published(_ meeting: Meeting, _ date: UTCInstant?) {
    guard meeting.isCancelled || date.map({ $0 >= meeting.starts }) ?? false else { return }
    known[meeting.id]?.published = meeting.revision
    known[meeting.id]?.topics = GroupTopics.topics(of: meeting)
  }

  /// A meeting that was over goes on after all, or this person is invited again.
  private mutating func revive(_ meeting: Meeting, _ date: UTCInstant?) {
    guard !meeting.isCancelled, meeting.admits(me), date.map({ $0 < meeting.ends }) ?? true
    else { return }
    known[meeting.id]?.isOver = false
    known[meeting.id]?.isShown = false
    _ = makeRoom(for: meeting)
  }

  private mutating func update(_ meeting: Meeting) {
    var record = known[meeting.id] ?? MeetingRecord(meeting)
    record.meeting = meeting
    record.lateUntil = max(record.lateUntil, meeting.ends)
    regions[meeting.id] = nil
    known[meeting.id] = record
    if let last { updateInside(meeting.id, last) }
  }

  private mutating func removed(
    _ id: UniqueID, by organizer: PersonAddress, _ told: inout [MeetingEffect]
  ) {
    guard let record = known[id], record.meeting.organizer == organizer, organizer != me,
      !record.isOver
    else { return }
    end(id, .removed, &told)
  }

  /// The record stays as over: an older revision may still arrive.
  private mutating func end(
    _ id: UniqueID, _ why: MeetingEnd, _ told: inout [MeetingEffect]
  ) {
    guard let record = known[id], !record.isOver else { return }
    if record.isJoined { told.append(.over(record.meeting, why)) }
    known[id]?.isOver = true
    known[id]?.isJoined = false
    regions[id] = nil
  }

  /// - Returns: whether the meeting just added can stay.
  private mutating func makeRoom(for meeting: Meeting) -> Bool {
    if let id = MeetingCapacity.surplus(of: known, after: meeting, for: me, contacts) { forget(id) }
    return known[meeting.id] != nil
  }

  private mutating func forget(_ id: UniqueID) {
    known[id] = nil
    regions[id] = nil
  }

  /// Removes meetings of blocked organizers. A joined meeting is left, so that its organizer does
  /// not wait for this person.
  private mutating func drop(
    of people: [PersonAddress], _ date: UTCInstant?, _ told: inout [MeetingEffect]
  ) {
    for record in records
    where record.meeting.organizer != me && people.contains(record.meeting.organizer) {
      if record.isJoined { leave(record.meeting.id, date, &told) }
      forget(record.meeting.id)
    }
  }

  // MARK: Location, and joining

  private mutating func located(_ location: Location) {
    let position = location.position
    guard location.accuracy >= 0, location.accuracy.isFinite, position.latitude.magnitude <= 90,
      position.longitude.magnitude <= 180
    else { return }
    last = location
    for (id, record) in known where !record.isOver { updateInside(id, location) }
  }

  private mutating func updateInside(_ id: UniqueID, _ location: Location) {
    guard let record = known[id] else { return }
    let region = regions[id] ?? record.meeting.region.region
    regions[id] = region
    guard let inside = Containment(of: location, in: region)?.probabilityInside else { return }
    known[id]?.isInside = inside >= (record.isInside ? Self.stillInside : Self.sureInside)
  }

  private mutating func join(
    _ id: UniqueID, _ date: UTCInstant?, _ told: inout [MeetingEffect]
  ) {
    guard let date, let record = known[id], isVisible(record, at: date) else {
      return refuse(
        id, "no meeting of that id can be seen here and now: go there, or wait until it begins",
        at: "id", &told)
    }
    guard !record.isJoined, record.meeting.organizer != me else { return }
    known[id]?.isJoined = true
    told.append(
      .send(
        MembershipChange(.join, .meeting, id, person: me, at: date), to: record.meeting.organizer))
  }

  private mutating func leave(
    _ id: UniqueID, _ date: UTCInstant?, _ told: inout [MeetingEffect]
  ) {
    guard let record = known[id], record.isJoined else {
      return refuse(id, "it was not joined", at: "id", &told)
    }
    known[id]?.isJoined = false
    told.append(
      .send(
        MembershipChange(.leave, .meeting, id, person: me, at: date), to: record.meeting.organizer))
  }

  // MARK: Time

  private mutating func keepTime(_ date: UTCInstant, _ told: inout [MeetingEffect]) {
    for record in records {
      let meeting = record.meeting
      if record.isOver {
        if date >= record.lateUntil + Self.late { forget(meeting.id) }
      } else if meeting.organizer == me {
        publish(record, date, &told)
      } else if date >= meeting.ends || meeting.isCancelled {
        end(meeting.id, meeting.isCancelled ? .cancelled : .ended, &told)
      } else if !record.isShown, isVisible(record, at: date) {
        known[meeting.id]?.isShown = true
        if !record.isJoined, notices.allow(meeting.organizer, at: date) {
          told.append(.appeared(meeting))
        }
      }
    }
  }

  private mutating func plan(
    _ now: BootInstant, _ date: UTCInstant?, _ told: inout [MeetingEffect]
  ) {
    var due: BootInstant?
    if let date {
      let dates = known.values.filter { !$0.isOver || $0.secured != nil }.flatMap {
        [$0.meeting.starts, $0.meeting.ends]
      }
      due = dates.filter { $0 > date }.min().map { now + ($0 - date) }
    }
    // The date and the boot clock never agree exactly.
    if let due, let told = self.plannedWake, told > now, (due - told).magnitude < 1 { return }
    guard due != self.plannedWake else { return }
    self.plannedWake = due
    told.append(.wake(due))
  }

  private func refuse(
    _ id: UniqueID, _ reason: String, at path: String, _ told: inout [MeetingEffect]
  ) {
    told.append(.refused(id, MessageError(reason, at: path)))
  }
}
