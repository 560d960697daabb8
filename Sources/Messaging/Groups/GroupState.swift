import Core

/// The complete state of a group, as the store keeps it over restarts.
public struct GroupState: Hashable, Sendable {
  public internal(set) var group: Group
  public internal(set) var isEnded = false
  var guide = GuideTrack()
  /// Whether it was reported that nothing is received from the guide.
  public internal(set) var isGuideSilent = false
  /// From when on the guide's positions are expected; nil: the date was not known yet.
  var guideSince: UTCInstant?
  /// When the guide was received again: members missed in the meantime get the full time once more.
  var grace: UTCInstant?
  /// Current and former members.
  var people: [PersonAddress: GroupMember] = [:]

  init(_ group: Group) { self.group = group }

  /// The guide's last known position.
  public var guidePosition: GroupPosition? { guide.last }

  /// Current members, by address.
  public var members: [(person: PersonAddress, member: GroupMember)] {
    people.filter(\.value.isIn).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The group is not watched for some time: what was reported is over.
  mutating func pause() {
    isGuideSilent = false
    for person in people.keys { people[person]?.pause() }
  }

  // MARK: JSON

  private static let type = "group_state"

  init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: MessagingLimits.state)
    try reader.expect(Self.type)
    self.init(try Group(try reader.part("group")))
    isEnded = try reader.flag("ended")
    isGuideSilent = try reader.flag("guide_silent")
    guideSince = try reader.timeIfAny("guide_since")
    grace = try reader.timeIfAny("grace")
    var track: [GroupPosition] = []
    for part in try reader.parts("guide") { track.append(try GroupPosition(part)) }
    guide = GuideTrack(track)
    for part in try reader.parts("people") {
      people[try part.person("person")] = try GroupMember(part)
    }
  }

  var bytes: [UInt8] {
    var writer = MessageWriter(Self.type)
    writer.add("group", json: group.writer.json)
    writer.add("ended", if: isEnded)
    writer.add("guide_silent", if: isGuideSilent)
    writer.add("guide_since", guideSince)
    writer.add("grace", grace)
    writer.add("guide", guide.positions.map(\.writer))
    writer.add("people", people.sorted { $0.key < $1.key }.map { $0.value.writer($0.key) })
    return writer.bytes
  }
}
