import Core
import Records

/// People who travel together, and how far they may be from their guide (Chughtai 2015, 4.3.2).
/// The circle moves with the guide.
public struct Group: Hashable, Sendable {
  public let id: UniqueID
  /// Incremented with every change, from 1: an older revision that arrives late is ignored.
  public let revision: Int
  public let name: String
  /// "To help people decide if they want to join or not."
  public let description: String
  public let guide: PersonAddress
  /// Within which followers can freely move.
  public let range: Metres
  public let allowed: Addressees
  /// Nil: until the guide ends it.
  public let ends: UTCInstant?
  /// When members are watched until the end; nil: all the time.
  public let schedule: Schedule?
  /// Older positions are ignored.
  public let oldest: Seconds
  /// The interval at which positions are requested.
  public let pause: Seconds
  /// The guide's position when an open group was last published: it is found around there. Nil:
  /// unknown, or the group is not open.
  public var foundAt: Coordinate?

  /// - Throws: if the values do not form a valid group.
  public init(
    id: UniqueID, revision: Int = 1, name: String, description: String = "", guide: PersonAddress,
    range: Metres, allowed: Addressees = .everybody, ends: UTCInstant? = nil,
    schedule: Schedule? = nil, oldest: Seconds = 600, pause: Seconds = 120
  ) throws(MessageError) {
    guard MessagingLimits.revisions.contains(revision) else {
      throw MessageError("\(revision) is not a valid revision: use at least 1", at: "revision")
    }
    try MessageCheck.name(name, atMost: MessagingLimits.name, at: "name")
    try MessageCheck.text(description, atMost: MessagingLimits.description, at: "description")
    try MessageCheck.quantity(range, MessagingLimits.groupRange, "range", at: "range_m")
    try allowed.check(atMost: MessagingLimits.members, at: "allowed")
    try MessageCheck.quantity(oldest, MessagingLimits.positionAge, "age", at: "oldest_position_s")
    try MessageCheck.quantity(pause, MessagingLimits.positionPause, "pause", at: "ask_every_s")
    guard pause < oldest else {
      throw MessageError(
        "positions would be too old before they are requested again: make it shorter than "
          + "oldest_position_s", at: "ask_every_s")
    }
    guard ends.map({ $0 >= MessageCheck.firstDate }) ?? true else {
      throw MessageError(
        "it was calculated with a clock that was not set: set the clock, or leave it out",
        at: "ends")
    }
    self.id = id
    self.revision = revision
    self.name = name
    self.description = description
    self.guide = guide
    self.range = MessageCheck.rounded(range, digits: 1)
    self.allowed = allowed
    self.ends = MessageCheck.plausible(ends)
    self.schedule = try MessageCheck.schedule(schedule, at: "schedule")
    self.oldest = MessageCheck.rounded(oldest, digits: 1)
    self.pause = MessageCheck.rounded(pause, digits: 1)
  }

  /// An open group is published again once its guide has moved this far: everybody within its range
  /// finds it, and nobody more than a kilometre beyond that.
  static let step: Metres = 500

  /// The distance to cover before an open group can be found; nil: it is found from here, is not
  /// open, or its place is unknown.
  /// - Parameter here: nil: unknown; nothing is found then.
  func distanceToFind(from here: Location?) -> Metres? {
    guard allowed == .everybody, let foundAt else { return nil }
    guard let here else { return Metres(.infinity) }
    let way =
      Sphere.distance(foundAt, here.position) - here.accuracy - range - Self.step
    return way > 0 ? way : nil
  }

  /// False while it goes on, or while the date is unknown.
  func isOver(at date: UTCInstant?) -> Bool {
    guard let date, let ends else { return false }
    return date >= ends
  }

  // MARK: JSON

  static let type = "group"

  init(_ reader: MessageReader) throws(MessageError) {
    try self.init(
      id: try reader.id("id"), revision: try reader.integer("revision", MessagingLimits.revisions),
      name: try reader.text("name"), description: try reader.textIfAny("description") ?? "",
      guide: try reader.person("guide"), range: Metres(try reader.number("range_m")),
      allowed: try Addressees(ifAny: reader, "allowed"), ends: try reader.timeIfAny("ends"),
      schedule: try reader.scheduleIfAny("schedule"),
      oldest: Seconds(try reader.number("oldest_position_s")),
      pause: Seconds(try reader.number("ask_every_s")))
    if reader.has("latitude") { foundAt = try reader.position() }
  }

  var writer: MessageWriter {
    var writer = MessageWriter(Self.type)
    writer.add("id", id)
    writer.add("revision", revision)
    writer.add("name", name)
    writer.add("description", description.isEmpty ? nil : description)
    writer.add("guide", guide)
    writer.add("range_m", range)
    allowed.writeIfNamed("allowed", into: &writer)
    writer.add("ends", ends)
    writer.add("schedule", schedule?.calendar)
    writer.add("oldest_position_s", oldest)
    writer.add("ask_every_s", pause)
    if let foundAt { writer.add(foundAt) }
    return writer
  }
}
