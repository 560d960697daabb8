import Core

/// Monitors one group: who falls behind, and whose positions are missing (Chughtai 2015, 4.3.2).
/// Every alert is reported once, and again only after its cause has ended.
///
/// Positions older than the group's limit are ignored. Without a date nothing is decided, because
/// the age of positions is unknown.
public struct GroupWatch: Sendable {
  public private(set) var state: GroupState
  private let me: PersonAddress
  private var lastRequest: UTCInstant?
  private var plannedWake: BootInstant?

  /// - Parameter me: the board's owner. While this person is no member, only the group's end is
  ///   scheduled: a foreign group must not wake the board.
  public init(_ group: Group, for me: PersonAddress) {
    self.init(restoring: GroupState(group), for: me)
  }

  /// - Parameter state: as an earlier run has stored it.
  public init(restoring state: GroupState, for me: PersonAddress) {
    self.state = state
    self.me = me
  }

  public var group: Group { state.group }

  /// Whether the board's owner is a member.
  public var isIn: Bool { group.guide == me || state.people[me]?.isIn == true }

  // MARK: What happens

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: of now; nil: it is not known.
  public mutating func step(
    _ event: GroupEvent, at now: BootInstant, date: UTCInstant?
  ) -> [GroupEffect] {
    let before = state
    let date = MessageCheck.plausible(date)
    var effects: [GroupEffect] = []
    if !state.isEnded {
      switch event {
      case .changed(let group): changed(group, &effects)
      case .attendance(let attendance): received(attendance, date, &effects)
      case .position(let position): received(position, date, &effects)
      case .timePassed: break
      }
      if let date, !state.isEnded { keepTime(date, &effects) }
    }
    if !state.isEnded, isIn, let date { requestPositions(date, &effects) }
    plan(now, date, &effects)
    return (state == before ? [] : [.store(state)]) + effects
  }

  private mutating func changed(_ group: Group, _ effects: inout [GroupEffect]) {
    guard group.id == state.group.id, group.guide == state.group.guide else {
      let error = MessageError("it is another group, or another's: only its guide changes it")
      return effects.append(.refused(group.guide, error))
    }
    guard group.revision > state.group.revision else { return }
    let changes = GroupChange.between(state.group, group)
    state.group = group
    if !changes.isEmpty { effects.append(.notify(.changed(changes))) }
    for (person, _) in state.members where !group.allowed.include(person) {
      state.people[person]?.isIn = false
      effects.append(.notify(.left(person)))
    }
  }

  /// The place where an open group is found has changed, or its guide no longer publishes it.
  /// - Returns: whether that is a change.
  public mutating func moved(to place: Coordinate?) -> Bool {
    guard place != state.group.foundAt else { return false }
    state.group.foundAt = place
    return true
  }

  // MARK: Coming and going

  private mutating func received(
    _ attendance: MembershipChange, _ date: UTCInstant?, _ effects: inout [GroupEffect]
  ) {
    let person = attendance.person
    guard attendance.subject == .group, attendance.id == group.id else {
      return refuse(person, "it is another group: look at its id", at: "id", &effects)
    }
    guard person != group.guide else { return guideChanged(attendance, &effects) }
    let known = state.people[person]
    guard attendance.isLater(after: known?.changedAt, date: date) else { return }
    let isJoining = attendance.action == .join
    let isIn = known?.isIn == true
    if isJoining, !isIn {
      guard group.allowed.include(person) else {
        return refuse(
          person, "the group is for others: ask its guide to be allowed", at: "person", &effects)
      }
      guard state.members.count < GroupLimits.people else {
        return refuse(
          person, "\(GroupLimits.people) are in the group, and no more can be: make another one",
          at: "person", &effects)
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
    if isJoining || isIn { effects.append(.notify(isJoining ? .joined(person) : .left(person))) }
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
  private mutating func guideChanged(_ attendance: MembershipChange, _ effects: inout [GroupEffect])
  {
    guard attendance.action == .leave else { return }
    state.isEnded = true
    effects.append(.notify(.ended))
  }

  // MARK: Positions

  private mutating func received(
    _ position: GroupPosition, _ date: UTCInstant?, _ effects: inout [GroupEffect]
  ) {
    let person = position.person
    guard position.group == group.id else {
      return refuse(person, "it is of another group: look at its id", at: "group", &effects)
    }
    guard person == group.guide || state.people[person]?.isIn == true else {
      // Topics have no order: a position may arrive before the message that its sender has joined.
      if group.allowed.include(person) { return }
      return refuse(person, "the group is not for \(person)", at: "person", &effects)
    }
    guard let date else {
      return refuse(
        person, "the date is not known here yet: nobody can tell how old it is", at: "time",
        &effects)
    }
    guard position.time - date <= GroupLimits.ahead else {
      return refuse(
        person, "it is of a time that is still to come: set the clock there", at: "time", &effects)
    }
    if person == group.guide {
      guard state.guide.add(position) else { return }
    } else {
      guard state.people[person]?.last.map({ position.time > $0.time }) ?? true else { return }
      state.people[person]?.last = position
    }
    // A position that is too old is kept, but decides nothing.
    guard date - position.time <= group.oldest else { return }
    if person == group.guide {
      if state.isGuideSilent {
        state.isGuideSilent = false
        state.grace = date
        effects.append(.notify(.guideReceived))
      }
      for (member, _) in state.members { evaluate(member, date, &effects) }
    } else {
      if state.people[person]?.isMissing == true {
        state.people[person]?.isMissing = false
        effects.append(.notify(.receivedAgain(person)))
      }
      evaluate(person, date, &effects)
    }
  }

  private mutating func evaluate(
    _ person: PersonAddress, _ date: UTCInstant, _ effects: inout [GroupEffect]
  ) {
    guard let guide = state.guide.last, date - guide.time <= group.oldest else { return }
    let (track, group) = (state.guide, state.group)
    switch state.people[person]?.evaluate(track, group, at: date) {
    case .fellBehind(let distance): effects.append(.notify(.fellBehind(person, distance)))
    case .back: effects.append(.notify(.back(person)))
    case .nothing, nil: break
    }
  }

  // MARK: Time

  private mutating func keepTime(_ date: UTCInstant, _ effects: inout [GroupEffect]) {
    if group.isOver(at: date) {
      state.isEnded = true
      return effects.append(.notify(.ended))
    }
    guard isIn else { return }
    state.guideSince = state.guideSince ?? date
    for (person, member) in state.members where member.since == nil {
      state.people[person]?.since = date
    }
    if let due = guideDue, date > due, !state.isGuideSilent {
      state.isGuideSilent = true
      effects.append(.notify(.guideSilent(since: state.guide.last?.time)))
    }
    // While the guide is silent, the cause may be the connection of this board: one alert is
    // enough.
    guard !state.isGuideSilent else { return }
    for (person, member) in state.members where !member.isMissing {
      guard let due = due(of: member), date > due else { continue }
      state.people[person]?.isMissing = true
      effects.append(.notify(.missing(person, since: member.last?.time)))
    }
  }

  private var guideDue: UTCInstant? {
    [state.guide.last?.time, state.guideSince].compactMap { $0 }.max().map { $0 + group.oldest }
  }

  private func due(of member: GroupMember) -> UTCInstant? {
    [member.last?.time, member.since, state.grace].compactMap { $0 }.max()
      .map { $0 + group.oldest }
  }

  private mutating func requestPositions(_ date: UTCInstant, _ effects: inout [GroupEffect]) {
    if let lastRequest, date - lastRequest < group.pause, date >= lastRequest { return }
    lastRequest = date
    let known =
      [(group.guide, state.guide.last)] + state.members.map { ($0.person, $0.member.last) }
    let people = known.filter { _, last in
      last.map { date - $0.time >= group.pause / 2 } ?? true
    }
    if !people.isEmpty { effects.append(.requestPositions(people.map(\.0))) }
  }

  private mutating func plan(
    _ now: BootInstant, _ date: UTCInstant?, _ effects: inout [GroupEffect]
  ) {
    var due: BootInstant?
    if let date, !state.isEnded {
      var dates = [group.ends]
      if isIn { dates.append(lastRequest.map { $0 + group.pause }) }
      if isIn, !state.isGuideSilent {
        dates.append(guideDue)
        dates += state.members.filter { !$0.member.isMissing }.map { self.due(of: $0.member) }
      }
      due = dates.compactMap { $0 }.min().map { now + max($0 - date, 1) }
    }
    // The date and the boot clock never agree exactly.
    if let due, let plannedWake, plannedWake > now, (due - plannedWake).magnitude < 1 { return }
    guard due != plannedWake else { return }
    plannedWake = due
    effects.append(.wake(due))
  }

  private func refuse(
    _ person: PersonAddress, _ reason: String, at path: String, _ effects: inout [GroupEffect]
  ) {
    effects.append(.refused(person, MessageError(reason, at: path)))
  }
}
