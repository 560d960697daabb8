import Core

/// The state of a person who is or was in the group.
public struct GroupMember: Hashable, Sendable {
  /// What a position leads to.
  enum Evaluation { case fellBehind(Metres), back, nothing }

  /// The probability from which a person counts as outside, and as back inside.
  private static let sureOutside = 0.95
  private static let sureInside = 0.9
  /// How many consecutive positions outside are needed; one that is far outside is enough.
  private static let needed = 2
  private static let far = 1.5
  /// How far inside the range a person counts as back, so that errors at the edge cause one alert
  /// only.
  private static let marginShare = 0.1
  private static let leastMargin: Metres = 20

  public internal(set) var isIn: Bool
  /// The sender's time of the last membership change.
  var changedAt: UTCInstant?
  /// From when on positions are expected, by the local clock; nil: the date was not known yet.
  var since: UTCInstant?
  /// The latest position received.
  public internal(set) var last: GroupPosition?
  public internal(set) var isOutside = false
  /// Whether it was reported that nothing is received.
  public internal(set) var isMissing = false
  /// The time of the last position that was evaluated.
  private var evaluatedTime: UTCInstant?
  /// Consecutive positions outside.
  private var outsideCount = 0

  /// - Parameter before: the earlier state. Its last position stays, so that none is evaluated
  ///   twice.
  init(_ attendance: MembershipChange, since: UTCInstant?, after before: GroupMember?) {
    isIn = attendance.action == .join
    changedAt = attendance.at ?? before?.changedAt
    self.since = since
    last = before?.last
    evaluatedTime = before?.evaluatedTime
  }

  /// Evaluates the last position once, as soon as the guide's position at its time is known.
  mutating func evaluate(_ guide: GuideTrack, _ group: Group, at date: UTCInstant) -> Evaluation {
    guard let last, evaluatedTime.map({ last.time > $0 }) ?? true, date - last.time <= group.oldest,
      let point = guide.point(
        nearest: last.position, at: last.time, isApart: isOutside, gap: group.oldest)
    else { return .nothing }
    evaluatedTime = last.time
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
      outsideCount = 0
      return .nothing
    }
    outsideCount += 1
    guard outsideCount >= Self.needed || 1 - inside(group.range * Self.far) >= Self.sureOutside
    else {
      return .nothing
    }
    outsideCount = 0
    isOutside = true
    return .fellBehind(Sphere.distance(point.position, last.position))
  }

  /// Nothing of before counts when the group is watched again.
  mutating func pause() {
    isOutside = false
    isMissing = false
    outsideCount = 0
  }

  // MARK: JSON

  init(_ reader: MessageReader) throws(MessageError) {
    isIn = try reader.flag("in")
    changedAt = try reader.timeIfAny("said")
    since = try reader.timeIfAny("since")
    isOutside = try reader.flag("outside")
    isMissing = try reader.flag("unheard")
    evaluatedTime = try reader.timeIfAny("judged")
    outsideCount = reader.has("doubts") ? try reader.integer("doubts", 0...Self.needed) : 0
    if reader.has("last") { last = try GroupPosition(try reader.part("last")) }
  }

  func writer(_ person: PersonAddress) -> MessageWriter {
    var writer = MessageWriter()
    writer.add("person", person)
    writer.add("in", if: isIn)
    writer.add("said", changedAt)
    writer.add("since", since)
    writer.add("outside", if: isOutside)
    writer.add("unheard", if: isMissing)
    writer.add("judged", evaluatedTime)
    writer.add("doubts", outsideCount == 0 ? nil : outsideCount)
    writer.add("last", json: last?.writer.json)
    return writer
  }
}
