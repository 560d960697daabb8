import Core
import Records

/// Monitors one group: who falls behind, and whose positions are missing (Chughtai 2015, 4.3.2).
/// Every alert is reported once, and again only after its cause has ended.
///
/// Positions older than the group's limit are ignored. Without a date nothing is decided, because
/// the age of positions is unknown.
struct GroupWatch: Sendable {
  private(set) var state: GroupState
  private let me: PersonAddress
  /// Nil: members are watched all the time.
  private var phase: SchedulePhase?
  private var lastRequest: UTCInstant?
  /// Whose positions the last step requested.
  private(set) var requested: [PersonAddress] = []
  /// When a step is due without any other event; nil: never, or before the first one.
  private(set) var wake: BootInstant?

  /// - Parameter me: the board's owner. While this person is no member, only the group's end is
  ///   scheduled: a foreign group must not wake the board.
  init(_ group: Group, for me: PersonAddress) {
    self.init(restoring: GroupState(group), for: me)
  }

  /// - Parameter state: as an earlier run has stored it.
  init(restoring state: GroupState, for me: PersonAddress) {
    self.state = state
    self.me = me
    phase = state.group.schedule.map { SchedulePhase($0) }
  }

  var group: Group { state.group }

  /// Whether the board's owner is a member.
  var isIn: Bool { group.guide == me || state.people[me]?.isIn == true }

  /// Whether members are watched, as of the last step.
  var isOn: Bool { phase?.isOn ?? true }

  /// Whether members are watched at a date, as far as the schedule decides it.
  mutating func isOn(at date: UTCInstant) -> Bool {
    phase?.update(at: date)
    return isOn
  }

  private mutating func isWatched(at date: UTCInstant) -> Bool { isIn && isOn(at: date) }

  // MARK: What happens

  mutating func step(_ event: GroupEvent, _ step: inout MessagingStep) {
    let (before, wasIn) = (state, isIn)
    requested = []
    var news: [GroupNotification] = []
    if !state.isEnded {
      switch event {
      case .changed(let group): changed(group, &news, &step)
      case .attendance(let attendance): received(attendance, &news, &step)
      case .position(let position): received(position, &news, &step)
      case .timePassed: break
      }
      if let date = step.date, !state.isEnded { keepTime(date, &news) }
    }
    if !state.isEnded, let date = step.date, isWatched(at: date) { requestPositions(date) }
    plan(step)
    if state != before { step.keep(state) }
    // Events of a group that this person does not belong to are not reported.
    guard wasIn || isIn else { return }
    for one in news where !isOwn(one, event) { step.report(.group(group, one)) }
  }

  /// A person's own action is not reported to that person.
  private func isOwn(_ news: GroupNotification, _ event: GroupEvent) -> Bool {
    guard case .attendance = event else { return false }
    switch news {
    case .joined(let person), .left(let person): return person == me
    default: return false
    }
  }

  private mutating func changed(
    _ group: Group, _ news: inout [GroupNotification], _ step: inout MessagingStep
  ) {
    guard group.id == state.group.id, group.guide == state.group.guide else {
      let error = MessageError(
        "it is a different group, or has another guide: only its guide can change it")
      return refuse(group.guide, error, &step)
    }
    guard group.revision > state.group.revision else { return }
    let changes = GroupChange.between(state.group, group)
    state.group = group
    if changes.contains(.schedule) { phase = group.schedule.map { SchedulePhase($0) } }
    if !changes.isEmpty { news.append(.changed(changes)) }
    for (person, _) in state.members where !group.allowed.include(person) {
      state.people[person]?.isIn = false
      news.append(.left(person))
    }
  }

  /// The place where an open group is found has changed, or its guide no longer publishes it.
  /// - Returns: whether that is a change.
  mutating func moved(to place: Coordinate?) -> Bool {
    guard place != state.group.foundAt else { return false }
    state.group.foundAt = place
    return true
  }

  // MARK: Coming and going

  private mutating func received(
    _ attendance: MembershipChange, _ news: inout [GroupNotification], _ step: inout MessagingStep
  ) {
    let date = step.date
    let person = attendance.person
    guard attendance.subject == .group, attendance.id == group.id else {
      return refuse(person, "it belongs to a different group: check its id", at: "id", &step)
    }
    guard person != group.guide else { return guideChanged(attendance, &news) }
    let known = state.people[person]
    guard attendance.isLater(after: known?.changedAt, date: date) else { return }
    let isJoining = attendance.action == .join
    let isIn = known?.isIn == true
    if isJoining, !isIn {
      guard group.allowed.include(person) else {
        return refuse(
          person, "\(person) may not join this group: its guide must allow it", at: "person", &step)
      }
      guard state.members.count < MessagingLimits.members else {
        return refuse(
          person,
          "the maximum of \(MessagingLimits.members) members is reached: start another group",
          at: "person", &step)
      }
    }
    if known != nil, isJoining == isIn {
      state.people[person]?.changedAt = attendance.at ?? known?.changedAt
      return
    }
    // A person who joins again is evaluated anew. One who left is remembered, so that older
    // messages are recognized as late.
    state.people[person] = GroupMember(attendance, since: date, after: known)
    if person == me, isJoining { beginWatching(date) }
    if isJoining || isIn { news.append(isJoining ? .joined(person) : .left(person)) }
    state.people.forgetFormer(\.changedAt) { !$0.isIn }
  }

  /// No positions were expected until now: everybody gets the full time again.
  private mutating func beginWatching(_ date: UTCInstant?) {
    state.guideSince = date
    state.grace = date
    state.isGuideSilent = false
  }

  /// A guide who leaves ends the group. An open group is also cleared from areas the guide has
  /// left, so only this message means its end.
  private mutating func guideChanged(
    _ attendance: MembershipChange, _ news: inout [GroupNotification]
  ) {
    guard attendance.action == .leave else { return }
    state.isEnded = true
    news.append(.ended)
  }

  // MARK: Positions

  private mutating func received(
    _ position: GroupPosition, _ news: inout [GroupNotification], _ step: inout MessagingStep
  ) {
    let person = position.person
    guard position.group == group.id else {
      return refuse(person, "it belongs to a different group: check its id", at: "group", &step)
    }
    guard person == group.guide || state.people[person]?.isIn == true else {
      // Topics have no order: a position may arrive before the message that its sender has joined.
      if group.allowed.include(person) { return }
      return refuse(person, "the group is not for \(person)", at: "person", &step)
    }
    guard let date = step.date else {
      return refuse(
        person, "its age cannot be determined: the date is not known yet", at: "time",
        &step)
    }
    guard position.time - date <= MessagingLimits.ahead else {
      return refuse(
        person, "its time is in the future: set the clock of the sender's board", at: "time", &step)
    }
    if person == group.guide {
      guard state.guide.add(position) else { return }
    } else {
      guard state.people[person]?.last.map({ position.time > $0.time }) ?? true else { return }
      state.people[person]?.last = position
    }
    // A position that is too old is kept, but decides nothing.
    guard date - position.time <= group.oldest, !isIn || isOn(at: date), isOfTheseHours(position)
    else { return }
    if person == group.guide {
      if state.isGuideSilent {
        state.isGuideSilent = false
        state.grace = date
        news.append(.guideReceived)
      }
      for (member, _) in state.members { evaluate(member, date, &news) }
    } else {
      if state.people[person]?.isMissing == true {
        state.people[person]?.isMissing = false
        news.append(.receivedAgain(person))
      }
      evaluate(person, date, &news)
    }
  }

  private mutating func evaluate(
    _ person: PersonAddress, _ date: UTCInstant, _ news: inout [GroupNotification]
  ) {
    guard let guide = state.guide.last, date - guide.time <= group.oldest,
      state.people[person]?.last.map(isOfTheseHours) ?? true
    else { return }
    let (track, group) = (state.guide, state.group)
    switch state.people[person]?.evaluate(track, group, at: date) {
    case .fellBehind(let distance): news.append(.fellBehind(person, distance))
    case .back: news.append(.back(person))
    case .nothing, nil: break
    }
  }

  /// Where a person was before the hours began does not count.
  private func isOfTheseHours(_ position: GroupPosition) -> Bool {
    phase?.begin.map { position.time >= $0 } ?? true
  }

  // MARK: Time

  private mutating func keepTime(_ date: UTCInstant, _ news: inout [GroupNotification]) {
    if group.isOver(at: date) {
      state.isEnded = true
      return news.append(.ended)
    }
    guard isIn else { return }
    guard isOn(at: date) else { return state.pause() }
    state.guideSince = state.guideSince ?? date
    for (person, member) in state.members where member.since == nil {
      state.people[person]?.since = date
    }
    if let due = guideDue, date > due, !state.isGuideSilent {
      state.isGuideSilent = true
      news.append(.guideSilent(since: state.guide.last?.time))
    }
    // While the guide is silent, the cause may be the connection of this board: one alert is
    // enough.
    guard !state.isGuideSilent else { return }
    for (person, member) in state.members where !member.isMissing {
      guard let due = due(of: member), date > due else { continue }
      state.people[person]?.isMissing = true
      news.append(.missing(person, since: member.last?.time))
    }
  }

  private var guideDue: UTCInstant? { due(after: [state.guide.last?.time, state.guideSince]) }

  private func due(of member: GroupMember) -> UTCInstant? {
    due(after: [member.last?.time, member.since, state.grace])
  }

  /// Before its hours begin, no position is requested.
  private func due(after times: [UTCInstant?]) -> UTCInstant? {
    (times + [phase?.begin]).compactMap { $0 }.max().map { $0 + group.oldest }
  }

  private mutating func requestPositions(_ date: UTCInstant) {
    if let lastRequest, date - lastRequest < group.pause, date >= lastRequest { return }
    lastRequest = date
    let known =
      [(group.guide, state.guide.last)] + state.members.map { ($0.person, $0.member.last) }
    requested = known.filter { _, last in
      last.map { date - $0.time >= group.pause / 2 } ?? true
    }.map(\.0)
  }

  private mutating func plan(_ step: MessagingStep) {
    wake = nil
    guard let date = step.date, !state.isEnded else { return }
    var dates = [group.ends]
    if isWatched(at: date) {
      dates.append(lastRequest.map { $0 + group.pause })
      if !state.isGuideSilent {
        dates.append(guideDue)
        dates += state.members.filter { !$0.member.isMissing }.map { due(of: $0.member) }
      }
    }
    if isIn { dates.append(phase?.nextChange) }
    wake = step.instant(of: dates.compactMap { $0 }.min().map { max($0, date + 1) })
  }

  private func refuse(
    _ person: PersonAddress, _ reason: String, at path: String, _ step: inout MessagingStep
  ) {
    refuse(person, MessageError(reason, at: path), &step)
  }

  private func refuse(
    _ person: PersonAddress, _ error: MessageError, _ step: inout MessagingStep
  ) {
    step.refuse("group \(group.id), \(person)", error)
  }
}

extension MessagingStep {
  mutating func keep(_ state: GroupState) {
    keep(.init(.group, "\(state.group.id)"), state.bytes)
  }
}
