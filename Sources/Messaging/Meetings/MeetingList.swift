import Core
import Places
import Records

/// Meetings for one person: which are visible here and now, which were joined, and what has changed
/// in those (Chughtai 2015, 4.3.1). Nothing is reported of a meeting that is not visible, not even
/// its existence.
struct MeetingList: MessageKind {
  /// How long a late revision may still arrive.
  private static let late: Seconds = .days(1)

  let me: PersonAddress
  /// Meetings of unknown people are dropped before those of contacts.
  var contacts = Contacts()
  private var known: [UniqueID: MeetingRecord] = [:]
  private var regions = MeetingRegions()
  /// Of the meetings with a schedule.
  private var phases: [UniqueID: SchedulePhase] = [:]
  private(set) var wake: BootInstant?
  private var notices = MeetingNotices()

  init(for me: PersonAddress) { self.me = me }

  mutating func restore(_ item: StoredMessage) throws(MessageError) {
    let record = try MeetingRecord(Array(item.text.utf8))
    known[record.meeting.id] = record
  }

  // MARK: What is known

  var records: [MeetingRecord] { known.values.sorted { $0.meeting.id < $1.meeting.id } }

  /// The meetings that can be seen: those held nearby now, and those that were joined until their
  /// end.
  func visible(at date: UTCInstant) -> [Meeting] {
    records.filter { isVisible($0, at: date) }.map(\.meeting)
  }

  /// The regions of current meetings that are not visible yet; entering one would be an event.
  func regionsAhead(at date: UTCInstant?) -> [PlaceRegion] {
    guard let date else { return [] }
    return records.filter { record in
      !record.isOver && !record.isInside && !record.isShown && !record.isJoined
        && record.meeting.organizer != me && record.meeting.lasts(at: date) && isOn(record.meeting)
    }.map { regions.region(of: $0.meeting) }
  }

  private func isVisible(_ record: MeetingRecord, at date: UTCInstant) -> Bool {
    record.isVisible(to: me, at: date, isOn: isOn(record.meeting))
  }

  /// As of the last step.
  private func isOn(_ meeting: Meeting) -> Bool {
    meeting.schedule == nil || phases[meeting.id]?.isOn == true
  }

  // MARK: What happens

  mutating func received(
    _ message: PeerMessage, under topic: MessageTopic?, _ step: inout MessagingStep
  ) {
    switch message {
    case .meeting(let meeting): self.step(.received(meeting), &step)
    case .attendance(let change) where change.subject == .meeting && change.person != me:
      self.step(.attendance(change), &step)
    case .attendance, .letter, .box, .receipt, .withdrawal, .group, .position: break
    }
  }

  mutating func cleared(_ topic: MessageTopic, _ step: inout MessagingStep) {
    guard topic.root == .meetings || topic.root == .areaMeetings else { return }
    self.step(.removed(topic.id, by: topic.sender), &step)
  }

  mutating func changed(_ contacts: Contacts, _ step: inout MessagingStep) {
    self.step(.contacts(contacts), &step)
  }

  mutating func located(_ location: Location, _ step: inout MessagingStep) {
    self.step(.located(location), &step)
  }

  mutating func timePassed(_ step: inout MessagingStep) { self.step(.timePassed, &step) }

  mutating func republish(_ step: inout MessagingStep) {
    for record in records where !record.isOver {
      let meeting = record.meeting
      if meeting.organizer == me {
        record.publication.republish(meeting, &step)
      } else if record.isJoined {
        let change = MembershipChange(.join, .meeting, meeting.id, person: me, at: step.date)
        step.publish(Publication(change, to: meeting.organizer))
      }
    }
  }

  /// While the date is not known nothing is shown.
  mutating func step(_ event: MeetingEvent, _ step: inout MessagingStep) {
    let before = known
    switch event {
    case .organized(let meeting): organized(meeting, &step)
    case .received(let meeting): received(meeting, &step)
    case .removed(let id, let organizer): removed(id, by: organizer, &step)
    case .located(let location): located(location)
    case .join(let id): join(id, &step)
    case .leave(let id): leave(id, &step)
    case .contacts(let contacts):
      self.contacts = contacts
      drop(of: contacts.blocked, &step)
    case .attendance(let attendance): received(attendance, &step)
    case .timePassed: break
    }
    if let date = step.date {
      updatePhases(date)
      keepTime(date, &step)
    }
    secure(since: before, &step)
    plan(step)
    for id in Set(before.keys).union(known.keys).sorted() where before[id] != known[id] {
      let key = StoredMessage.Key(.meeting, "\(id)")
      if let record = known[id] { step.keep(key, record.bytes) } else { step.forget(key) }
    }
  }

  // MARK: Own meetings

  private mutating func secure(
    since before: [UniqueID: MeetingRecord], _ step: inout MessagingStep
  ) {
    for record in records where record.meeting.organizer == me {
      known[record.meeting.id]?.publication.secure(record.meeting, &step)
    }
    for id in Set(before.keys).subtracting(known.keys).sorted() {
      if let record = before[id] { record.publication.release(record.meeting, &step) }
    }
  }

  private mutating func organized(_ meeting: Meeting, _ step: inout MessagingStep) {
    guard meeting.organizer == me else {
      return step.refuse(
        "meeting \(meeting.id)", "its organizer is \(meeting.organizer): use \(me)", "organizer")
    }
    if let record = known[meeting.id] {
      guard record.meeting.organizer == me, meeting.revision > record.meeting.revision else {
        return step.refuse(
          "meeting \(meeting.id)",
          "revision \(record.meeting.revision) of \(record.meeting.organizer) exists already: use "
            + "a higher one, or a new id", "revision")
      }
    }
    guard step.date.map({ $0 < meeting.ends }) ?? true else {
      return step.refuse("meeting \(meeting.id)", "it is over already: use a later time", "ends")
    }
    update(meeting)
    guard makeRoom(for: meeting) else {
      return step.refuse(
        "meeting \(meeting.id)",
        "the maximum of \(MessagingLimits.meetings) joined and own meetings is reached: leave "
          + "some, or wait until some are over", "id")
    }
  }

  private mutating func received(_ attendance: MembershipChange, _ step: inout MessagingStep) {
    guard attendance.subject == .meeting, let record = known[attendance.id],
      record.meeting.organizer == me, !record.isOver
    else {
      return step.refuse(
        "meeting \(attendance.id)", "\(me) organizes no meeting with this id", "id")
    }
    known[attendance.id]?.attendance.received(attendance, for: record.meeting, &step)
  }

  // MARK: Meetings of others

  private mutating func received(_ meeting: Meeting, _ step: inout MessagingStep) {
    guard let record = known[meeting.id] else {
      // Too late to matter, except for the organizer, who has to remove it.
      if let date = step.date, date >= meeting.ends, meeting.organizer != me { return }
      guard meeting.admits(me) else {
        return step.refuse(
          "meeting \(meeting.id)", "it is for other people: it is not kept", "invited")
      }
      update(meeting)
      guard makeRoom(for: meeting) else {
        return step.refuse(
          "meeting \(meeting.id)",
          "there is no room for it: at most \(MessagingLimits.meetingsPerOrganizer) of one "
            + "organizer and \(MessagingLimits.meetings) in all are kept", "id")
      }
      if meeting.organizer == me { known[meeting.id]?.publication.adopt(meeting, at: step.date) }
      return
    }
    guard record.meeting.organizer == meeting.organizer else {
      return step.refuse(
        "meeting \(meeting.id)",
        "its organizer is \(record.meeting.organizer): only the organizer can change it",
        "organizer")
    }
    guard meeting.revision > record.meeting.revision else { return }
    update(meeting)
    if meeting.organizer == me { known[meeting.id]?.publication.adopt(meeting, at: step.date) }
    guard !record.isOver else { return revive(meeting, step.date) }
    guard meeting.organizer != me else { return }
    if meeting.isCancelled {
      end(meeting.id, .cancelled, &step)
    } else if !meeting.admits(me) {
      end(meeting.id, .uninvited, &step)
    } else {
      let changes = MeetingChange.between(record.meeting, meeting)
      if record.isJoined, !changes.isEmpty { step.report(.meetingChanged(meeting, changes)) }
    }
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
    regions.forget(meeting.id)
    phases[meeting.id] = nil
    record.isInside = regions.isInside(record)
    known[meeting.id] = record
  }

  private mutating func removed(
    _ id: UniqueID, by organizer: PersonAddress, _ step: inout MessagingStep
  ) {
    guard let record = known[id], record.meeting.organizer == organizer, organizer != me,
      !record.isOver
    else { return }
    end(id, .removed, &step)
  }

  /// The record stays as over: an older revision may still arrive.
  private mutating func end(_ id: UniqueID, _ why: MeetingEnd, _ step: inout MessagingStep) {
    guard let record = known[id], !record.isOver else { return }
    if record.isJoined {
      step.report(.meetingOver(record.meeting, why))
      // The organizer no longer needs the list of attendees.
      let own = MembershipChange(.leave, .meeting, id, person: me, at: nil)
      step.clear([MessageTopic.topic(of: own, to: record.meeting.organizer)])
    }
    known[id]?.isOver = true
    known[id]?.isJoined = false
    regions.forget(id)
  }

  /// - Returns: whether the meeting just added can stay.
  private mutating func makeRoom(for meeting: Meeting) -> Bool {
    if let id = MeetingCapacity.surplus(of: known, after: meeting, for: me, contacts) { forget(id) }
    return known[meeting.id] != nil
  }

  private mutating func forget(_ id: UniqueID) {
    known[id] = nil
    phases[id] = nil
    regions.forget(id)
  }

  /// Removes meetings of blocked organizers. A joined meeting is left, so that its organizer does
  /// not wait for this person.
  private mutating func drop(of people: [PersonAddress], _ step: inout MessagingStep) {
    for record in records
    where record.meeting.organizer != me && people.contains(record.meeting.organizer) {
      if record.isJoined { leave(record.meeting.id, &step) }
      forget(record.meeting.id)
    }
  }

  // MARK: Location, and joining

  private mutating func located(_ location: Location) {
    guard regions.located(location) else { return }
    for (id, record) in known where !record.isOver {
      known[id]?.isInside = regions.isInside(record)
    }
  }

  private mutating func join(_ id: UniqueID, _ step: inout MessagingStep) {
    if let date = step.date { updatePhases(date) }
    guard let date = step.date, let record = known[id], isVisible(record, at: date) else {
      return step.refuse(
        "meeting \(id)",
        "no meeting with this id is visible here: go there, or wait until it begins", "id")
    }
    guard !record.isJoined, record.meeting.organizer != me else { return }
    known[id]?.isJoined = true
    let change = MembershipChange(.join, .meeting, id, person: me, at: date)
    step.publish(Publication(change, to: record.meeting.organizer))
  }

  private mutating func leave(_ id: UniqueID, _ step: inout MessagingStep) {
    guard let record = known[id], record.isJoined else {
      return step.refuse("meeting \(id)", "you have not joined it", "id")
    }
    known[id]?.isJoined = false
    let change = MembershipChange(.leave, .meeting, id, person: me, at: step.date)
    step.publish(Publication(change, to: record.meeting.organizer))
  }

  // MARK: Time

  private mutating func updatePhases(_ date: UTCInstant) {
    for (id, record) in known where !record.isOver {
      guard let schedule = record.meeting.schedule else { continue }
      phases[id, default: SchedulePhase(schedule)].update(at: date)
    }
  }

  private mutating func keepTime(_ date: UTCInstant, _ step: inout MessagingStep) {
    for record in records {
      let meeting = record.meeting
      if record.isOver {
        if date >= record.lateUntil + Self.late { forget(meeting.id) }
      } else if meeting.organizer == me {
        if known[meeting.id]?.publication.update(meeting, at: date, &step) == true {
          known[meeting.id]?.isOver = true
        }
      } else if date >= meeting.ends || meeting.isCancelled {
        end(meeting.id, meeting.isCancelled ? .cancelled : .ended, &step)
      } else if record.isShown, !record.isJoined, !isOn(meeting) {
        known[meeting.id]?.isShown = false
      } else if !record.isShown, isVisible(record, at: date) {
        known[meeting.id]?.isShown = true
        if !record.isJoined, notices.allow(meeting.organizer, at: date) {
          step.report(.meetingAppeared(meeting))
        }
      }
    }
  }

  private mutating func plan(_ step: MessagingStep) {
    guard let date = step.date else { return wake = nil }
    var dates = known.values.filter { !$0.isOver || $0.publication.isSecured }.flatMap {
      [$0.meeting.starts, $0.meeting.ends]
    }
    // The others are visible between their hours, too, or not yet at all.
    for (id, phase) in phases {
      guard let record = known[id], !record.isOver, !record.isJoined,
        record.meeting.organizer != me, record.meeting.lasts(at: date)
      else { continue }
      if let change = phase.nextChange { dates.append(change) }
    }
    wake = step.instant(of: dates.filter { $0 > date }.min())
  }
}
