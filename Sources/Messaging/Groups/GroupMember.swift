import Core

/// What is known of one who is in the group, or was.
public struct GroupMember: Hashable, Sendable {
  /// What a position decides.
  enum Verdict { case fellBehind(Metres), back, nothing }

  /// From here on somebody is outside, and from here on back inside.
  private static let sureOutside = 0.95
  private static let sureInside = 0.9
  /// So many positions in a row it takes to be outside; one that is far outside is enough.
  private static let needed = 2
  private static let far = 1.5
  /// How far within the range somebody is back, so that errors at the edge are one alert.
  private static let marginShare = 0.1
  private static let leastMargin: Metres = 20

  public internal(set) var isIn: Bool
  /// When that was said, by whoever said it.
  var said: UTCInstant?
  /// From when on positions are expected, by the clock here; nil: the date was not known yet.
  var since: UTCInstant?
  /// The latest that came.
  public internal(set) var last: GroupPosition?
  public internal(set) var isOutside = false
  /// Whether it was told that nothing is heard.
  public internal(set) var isUnheard = false
  /// Of the last position that has decided anything.
  private var judged: UTCInstant?
  /// Positions outside in a row.
  private var doubts = 0

  /// - Parameter before: what was known. Its last position stays, so that it decides nothing twice.
  init(_ attendance: MembershipChange, since: UTCInstant?, after before: GroupMember?) {
    isIn = attendance.action == .join
    said = attendance.at ?? before?.said
    self.since = since
    last = before?.last
    judged = before?.judged
  }

  /// Judges the last position, once, as soon as it is known where the guide was at its time.
  mutating func judge(_ guide: GuideTrack, _ group: Group, at date: UTCInstant) -> Verdict {
    guard let last, judged.map({ last.time > $0 }) ?? true, date - last.time <= group.oldest,
      let point = guide.point(
        nearest: last.position, at: last.time, isApart: isOutside, gap: group.oldest)
    else { return .nothing }
    judged = last.time
    let error = CircularError(
      deviation: GroupError.deviation([
        point.deviation, GroupError.deviation(of: last.accuracy),
      ]))
    func inside(_ radius: Metres) -> Double {
      error.probability(
        inside: SphericalCap(centre: point.position, radius: radius), measuredAt: last.position)
    }
    if isOutside {
      let margin = min(max(group.range * Self.marginShare, Self.leastMargin), group.range / 2)
      guard inside(group.range - margin) >= Self.sureInside else { return .nothing }
      isOutside = false
      return .back
    }
    guard 1 - inside(group.range) >= Self.sureOutside else {
      doubts = 0
      return .nothing
    }
    doubts += 1
    guard doubts >= Self.needed || 1 - inside(group.range * Self.far) >= Self.sureOutside else {
      return .nothing
    }
    doubts = 0
    isOutside = true
    return .fellBehind(Sphere.distance(point.position, last.position))
  }

  // MARK: JSON

  init(_ reader: MessageReader) throws(MessageError) {
    isIn = try reader.flag("in")
    said = try reader.timeIfAny("said")
    since = try reader.timeIfAny("since")
    isOutside = try reader.flag("outside")
    isUnheard = try reader.flag("unheard")
    judged = try reader.timeIfAny("judged")
    doubts = reader.has("doubts") ? try reader.integer("doubts", 0...Self.needed) : 0
    if reader.has("last") { last = try GroupPosition(try reader.part("last")) }
  }

  func writer(_ person: PersonAddress) -> MessageWriter {
    var writer = MessageWriter()
    writer.add("person", person)
    writer.add("in", if: isIn)
    writer.add("said", said)
    writer.add("since", since)
    writer.add("outside", if: isOutside)
    writer.add("unheard", if: isUnheard)
    writer.add("judged", judged)
    writer.add("doubts", doubts == 0 ? nil : doubts)
    writer.add("last", json: last?.writer.json)
    return writer
  }
}
