import Core
import Records

/// The groups that one person guides, belongs to, or could join. The board of every member monitors
/// each group, so that no board depends on another being present.
struct GroupList: MessageKind {
  let me: PersonAddress
  var contacts = Contacts()
  private var watches: [UniqueID: GroupWatch] = [:]
  private var publications: [UniqueID: GroupPublication] = [:]
  /// The groups that have requested this person's own position.
  private(set) var positionRequests: Set<UniqueID> = []
  private var last: Location?
  /// The topics under which a group was received: a group found nearby moves from area to area.
  private var topicsByGroup: [UniqueID: Set<String>] = [:]

  /// - Parameter here: the board's location, as far as it is known.
  init(of me: PersonAddress, at here: Location?) {
    self.me = me
    last = here
  }

  // MARK: What is known

  var all: [GroupState] {
    watches.values.map(\.state).sorted {
      ($0.group.name, $0.group.id) < ($1.group.name, $1.group.id)
    }
  }
  var wake: BootInstant? { watches.values.compactMap(\.wake).min() }

  /// Those this person belongs to, and those that can be found from the board's location.
  var found: [GroupState] {
    all.filter { isIn($0.group.id) || $0.group.distanceToFind(from: last) == nil }
  }

  subscript(_ id: UniqueID) -> GroupState? { watches[id]?.state }

  /// Whether this person is a member.
  func isIn(_ id: UniqueID) -> Bool { watches[id]?.isIn == true }

  /// The groups this person belongs to that have not ended.
  var joined: [UniqueID] {
    watches.keys.filter { isIn($0) && watches[$0]?.state.isEnded == false }.sorted()
  }

  // MARK: What this person does

  mutating func guide(
    _ group: Group, _ step: inout MessagingStep
  ) {
    guard group.guide == me else {
      return step.refuse("group \(group.id)", "its guide is \(group.guide): use \(me)", "guide")
    }
    if let known = watches[group.id] {
      guard known.group.guide == me, group.revision > known.group.revision else {
        return step.refuse(
          "group \(group.id)",
          "revision \(known.group.revision) exists already: use a higher one, or a new id",
          "revision")
      }
      advance(group.id, .changed(group), &step)
    } else {
      guard makeRoom(for: group, &step) else {
        return step.refuse(
          "group \(group.id)",
          "the maximum of \(MessagingLimits.groups) groups is reached: leave some",
          "id")
      }
      watches[group.id] = GroupWatch(group, for: me)
      step.keep(GroupState(group))
      // The group is revived: remove the retained end message, so that new members do not receive
      // it.
      if group.revision > 1 { step.clear([endTopic(of: group)]) }
      advance(group.id, .timePassed, &step)
    }
    publish(group.id, &step)
  }

  /// - Returns: whether there is such a group.
  mutating func attend(
    _ id: UniqueID, _ action: MembershipChange.Action, _ step: inout MessagingStep
  ) -> Bool {
    guard let watch = watches[id] else { return false }
    guard watch.group.guide != me else {
      step.refuse("group \(id)", "you guide it: end it instead", "id")
      return true
    }
    guard isIn(id) != (action == .join) else {
      step.refuse(
        "group \(id)", action == .join ? "you have joined it already" : "you have not joined it",
        "id")
      return true
    }
    if action == .join, let way = watch.group.distanceToFind(from: last) {
      let far = way.value.isFinite ? "\(way.inWords) away" : "this board's position is not known"
      step.refuse(
        "group \(id)",
        "an open group can be joined only near its guide (\(far)): move within its range plus 1 km",
        "id")
      return true
    }
    let attendance = MembershipChange(action, .group, id, person: me, at: step.date)
    advance(id, .attendance(attendance), &step)
    guard isIn(id) == (action == .join) else { return true }
    step.publish(Publication(attendance, to: watch.group.guide))
    if action == .leave {
      positionRequests.remove(id)
    } else if let last {
      try? publishPosition(last, id, &step)
    }
    return true
  }

  /// The owner is there, by another source than this board's receiver.
  mutating func positioned(
    _ location: Location, in id: UniqueID, _ step: inout MessagingStep
  ) {
    guard isIn(id) else {
      return step.refuse("group \(id)", "you have not joined it: join it first", "id")
    }
    do { try publishPosition(location, id, &step) } catch { step.refuse("group \(id)", error) }
  }

  /// Publishes again that the group exists and that this person is a member.
  mutating func republish(_ step: inout MessagingStep) {
    for id in joined {
      guard let guide = watches[id]?.group.guide else { continue }
      if guide == me {
        publications[id]?.forget()
        publish(id, &step)
      } else {
        step.publish(
          Publication(MembershipChange(.join, .group, id, person: me, at: step.date), to: guide))
      }
    }
  }

  /// Removes the groups of blocked guides. A joined group is left, so that its members neither wait
  /// for this person nor learn this person's position any longer.
  mutating func changed(_ contacts: Contacts, _ step: inout MessagingStep) {
    self.contacts = contacts
    let blocked = contacts.blocked
    for group in all.map(\.group) where group.guide != me && blocked.contains(group.guide) {
      if isIn(group.id) {
        hide(group.id, &step)
        let leave = MembershipChange(.leave, .group, group.id, person: me, at: step.date)
        step.publish(Publication(leave, to: group.guide))
      }
      forget(group.id, &step)
    }
  }

  // MARK: What comes from others

  mutating func received(
    _ message: PeerMessage, under topic: MessageTopic?, _ step: inout MessagingStep
  ) {
    switch message {
    case .group(let group): if let topic { received(group, under: topic, &step) }
    // The broker returns one's own position too.
    case .position(let position) where position.person != me:
      advance(position.group, .position(position), &step)
    case .attendance(let change) where change.subject == .group:
      advance(change.id, .attendance(change), &step)
    case .position, .attendance, .letter, .box, .receipt, .withdrawal, .meeting: break
    }
  }

  private mutating func received(
    _ group: Group, under parsed: MessageTopic, _ step: inout MessagingStep
  ) {
    let topic = parsed.description
    if let known = watches[group.id]?.group {
      if known.guide == group.guide { topicsByGroup[group.id, default: []].insert(topic) }
      if known.guide == group.guide, group.guide == me { adopt(group, under: topic, &step) }
      if known.guide == group.guide, group.guide != me, parsed.root == .areaGroups,
        watches[group.id]?.moved(to: group.foundAt) == true, let state = self[group.id]
      {
        step.keep(state)
      }
      return advance(group.id, .changed(group), &step)
    }
    guard group.guide == me || group.allowed.include(me) else {
      return step.refuse("group \(group.id)", "it is for other people: it is not kept", "allowed")
    }
    // The guide has to remove it.
    if group.isOver(at: step.date), group.guide != me { return }
    guard makeRoom(for: group, &step) else { return }
    watches[group.id] = GroupWatch(group, for: me)
    topicsByGroup[group.id] = [topic]
    step.keep(GroupState(group))
    if group.guide == me { adopt(group, under: topic, &step) }
    advance(group.id, .timePassed, &step)
  }

  /// An earlier board of this person published it; its topics are now updated and cleared from
  /// here.
  private mutating func adopt(_ group: Group, under topic: String, _ step: inout MessagingStep) {
    var publication = publications[group.id] ?? GroupPublication()
    guard publication.adopt(topic, revision: group.revision, foundAt: group.foundAt) else {
      return
    }
    keep(publication, of: group.id, &step)
  }

  private mutating func keep(
    _ publication: GroupPublication, of id: UniqueID, _ step: inout MessagingStep
  ) {
    publications[id] = publication
    step.keep(.init(.groupPublication, "\(id)"), publication.bytes)
  }

  /// A guide removes an open group from the areas it has left, and a restricted group from people
  /// who are no longer allowed. Members of an open group learn of its end from the guide.
  mutating func cleared(_ topic: MessageTopic, _ step: inout MessagingStep) {
    let (id, guide) = (topic.id, topic.sender)
    guard topic.root == .groups || topic.root == .areaGroups, let watch = watches[id],
      watch.group.guide == guide, guide != me
    else { return }
    topicsByGroup[id]?.remove(topic.description)
    guard isIn(id) else {
      // After a restart the other topics under which it can be found are unknown.
      if topicsByGroup[id]?.isEmpty ?? false { forget(id, &step) }
      return
    }
    guard topic.root == .groups, watch.group.allowed != .everybody else { return }
    step.report(.group(watch.group, .ended))
    sweep(watch.group, &step)
    forget(id, &step)
  }

  // MARK: What the board notices

  mutating func located(
    _ location: Location, _ step: inout MessagingStep
  ) {
    last = location
    for id in joined { try? publishPosition(location, id, &step) }
  }

  mutating func timePassed(
    _ step: inout MessagingStep
  ) {
    for id in watches.keys.sorted() where watches[id]?.wake.map({ step.now >= $0 }) ?? true {
      advance(id, .timePassed, &step)
    }
  }

  /// Publishes this person's position to the group, at most twice per requested interval.
  /// - Throws: outside the group's hours, and if it is no position of a group, as one of a board
  ///   whose clock is not set.
  private mutating func publishPosition(
    _ location: Location, _ id: UniqueID, _ step: inout MessagingStep
  ) throws(MessageError) {
    guard let watch = watches[id], !watch.state.isEnded else { return }
    guard watches[id]?.isOn(at: step.date ?? location.time) == true else {
      throw MessageError("it watches its members at other times only", at: "time")
    }
    let position = try GroupPosition(
      location.position, accuracy: location.accuracy, at: location.time, of: me, in: id)
    if let published = ownPosition(id), position.time - published.time < watch.group.pause / 2 {
      return
    }
    positionRequests.remove(id)
    advance(id, .position(position), &step)
    step.publish(.position(position), under: [MessageTopic.topic(of: position)])
    publish(id, &step)
  }

  private func ownPosition(_ id: UniqueID) -> GroupPosition? {
    guard let state = watches[id]?.state else { return nil }
    if state.group.guide == me { return state.guidePosition }
    return state.members.first { $0.person == me }?.member.last
  }

  // MARK: Steps

  private mutating func advance(
    _ id: UniqueID, _ event: GroupEvent, _ step: inout MessagingStep
  ) {
    guard watches[id] != nil else { return }
    let (wasIn, wasOn) = (isIn(id), watches[id]?.isOn == true)
    watches[id]?.step(event, &step)
    guard let watch = watches[id] else { return }
    if watch.requested.contains(me) { positionRequests.insert(id) }
    if wasIn, wasOn, step.date != nil, !watch.isOn {
      positionRequests.remove(id)
      hide(id, &step)
    }
    guard watch.state.isEnded else {
      if wasIn, !watch.isIn { hide(id, &step) }
      return
    }
    publish(id, &step)
    if wasIn || watch.isIn { sweep(watch.group, &step) }
    if watch.group.guide == me {
      let end = MembershipChange(.leave, .group, id, person: me, at: step.date)
      step.publish(Publication(end, to: me))
    }
    forget(id, &step)
  }

  /// The topic under which the guide publishes the end of the group.
  private func endTopic(of group: Group) -> String {
    MessageTopic.topic(
      of: MembershipChange(.leave, .group, group.id, person: group.guide, at: nil), to: group.guide)
  }

  /// Clears this person's retained position.
  private func hide(_ id: UniqueID, _ step: inout MessagingStep) {
    step.clear([MessageTopic.positionTopic(of: me, in: id)])
  }

  /// Clears everything retained for this person at a group that has ended.
  private func sweep(
    _ group: Group, _ step: inout MessagingStep
  ) {
    hide(group.id, &step)
    guard group.guide != me else { return }
    let attendance = MembershipChange(.leave, .group, group.id, person: me, at: nil)
    step.clear([MessageTopic.topic(of: attendance, to: group.guide)])
  }

  /// Publishes the guide's own group so that people nearby can find it.
  private mutating func publish(
    _ id: UniqueID, _ step: inout MessagingStep
  ) {
    guard let watch = watches[id], watch.group.guide == me,
      step.queue.hasRoom || watch.state.isEnded
    else { return }
    var publication = publications[id] ?? GroupPublication()
    let order = publication.update(
      watch.group, guide: watch.state.guidePosition, isOver: watch.state.isEnded)
    guard let order else { return }
    keep(publication, of: id, &step)
    step.publish(.group(order.group), under: order.under, place: order.place)
    // The topic of an area that the guide has left reveals the guide's position as well.
    step.clear(order.without, place: order.place)
  }

  // MARK: Room

  /// Groups of unknown people never displace those that contacts guide. The choice does not depend
  /// on the order of arrival: the broker delivers a dropped group again, and two groups must not
  /// replace each other endlessly.
  private mutating func makeRoom(for group: Group, _ step: inout MessagingStep) -> Bool {
    guard watches.count >= MessagingLimits.groups else { return true }
    let idle = watches.values.map(\.group).filter { !isIn($0.id) }
    let candidates = group.guide == me ? idle : idle + [group]
    let surplus = contacts.firstToGo(of: candidates, for: me, heldBy: \.guide).map(\.id).max()
    guard let surplus, surplus != group.id else { return false }
    forget(surplus, &step)
    return true
  }

  private mutating func forget(_ id: UniqueID, _ step: inout MessagingStep) {
    watches[id] = nil
    topicsByGroup[id] = nil
    positionRequests.remove(id)
    step.forget(.init(.group, "\(id)"))
    if publications.removeValue(forKey: id) != nil {
      step.forget(.init(.groupPublication, "\(id)"))
    }
  }

  mutating func restore(_ item: StoredMessage) throws(MessageError) {
    let bytes = Array(item.text.utf8)
    if item.key.kind == .group {
      let state = try GroupState(bytes)
      watches[state.group.id] = GroupWatch(restoring: state, for: me)
    } else if let id = UniqueID(item.key.name) {
      publications[id] = try GroupPublication(bytes)
    }
  }
}
