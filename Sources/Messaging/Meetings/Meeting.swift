import Core

/// A meeting of people at a spot for some time, which those admitted can find nearby (Chughtai
/// 2015, 4.3.1).
public struct Meeting: Hashable, Sendable {
  public let id: UniqueID
  /// Incremented with every change, from 1: an older revision that arrives late is ignored.
  public let revision: Int
  public let organizer: PersonAddress
  public let name: String
  public let description: String
  /// "The exact spot where the meeting is held."
  public let spot: Coordinate
  public let region: MeetingRegion
  public let starts: UTCInstant
  public let ends: UTCInstant
  /// When it takes place between start and end, as every Tuesday evening; nil: all the time.
  public let schedule: Schedule?
  /// The invited people; everybody nearby if no names are given.
  public let invited: Addressees
  public let isCancelled: Bool

  /// - Throws: if the values do not form a valid meeting.
  public init(
    id: UniqueID, revision: Int = 1, organizer: PersonAddress, name: String,
    description: String = "", spot: Coordinate, region: MeetingRegion, starts: UTCInstant,
    ends: UTCInstant, schedule: Schedule? = nil, invited: Addressees = .everybody,
    isCancelled: Bool = false
  ) throws(MessageError) {
    guard MessagingLimits.revisions.contains(revision) else {
      throw MessageError("\(revision) is not a valid revision: use at least 1", at: "revision")
    }
    try MessageCheck.name(name, atMost: MessagingLimits.name, at: "name")
    try MessageCheck.text(description, atMost: MessagingLimits.description, at: "description")
    try MessageCheck.position(spot, at: "latitude")
    try invited.check(atMost: MessagingLimits.members, at: "invited")
    guard let first = MessageCheck.plausible(starts), let last = MessageCheck.plausible(ends)
    else {
      throw MessageError(
        "it was calculated with a clock that was not set: set the clock", at: "starts")
    }
    guard first < last else {
      throw MessageError("it ends before it begins: swap the two", at: "ends")
    }
    self.id = id
    self.revision = revision
    self.organizer = organizer
    self.name = name
    self.description = description
    self.spot = MessageCheck.rounded(spot)
    self.region = region
    self.starts = first
    self.ends = last
    self.schedule = try MessageCheck.schedule(schedule, at: "schedule")
    self.invited = invited
    self.isCancelled = isCancelled
  }

  /// Whether a date is between start and end: "the service does not communicate this information
  /// with attendees until the actual meeting time".
  func lasts(at date: UTCInstant) -> Bool { !isCancelled && date >= starts && date < ends }

  func admits(_ person: PersonAddress) -> Bool { person == organizer || invited.include(person) }

  // MARK: JSON

  static let type = "meeting"

  init(_ reader: MessageReader) throws(MessageError) {
    let part = try reader.part("region")
    let region: MeetingRegion
    do {
      region = try MeetingRegion(part)
    } catch {
      throw error.path.hasPrefix("region") ? error : error.within("region")
    }
    try self.init(
      id: try reader.id("id"), revision: try reader.integer("revision", MessagingLimits.revisions),
      organizer: try reader.person("organizer"), name: try reader.text("name"),
      description: try reader.textIfAny("description") ?? "", spot: try reader.position(),
      region: region, starts: try reader.time("starts"), ends: try reader.time("ends"),
      schedule: try reader.scheduleIfAny("schedule"),
      invited: try Addressees(ifAny: reader, "invited"), isCancelled: try reader.flag("cancelled"))
  }

  var writer: MessageWriter {
    var writer = MessageWriter(Self.type)
    writer.add("id", id)
    writer.add("revision", revision)
    writer.add("organizer", organizer)
    writer.add("name", name)
    writer.add("description", description.isEmpty ? nil : description)
    writer.add(spot)
    writer.add("region", json: region.writer.json)
    writer.add("starts", starts)
    writer.add("ends", ends)
    writer.add("schedule", schedule?.calendar)
    invited.writeIfNamed("invited", into: &writer)
    writer.add("cancelled", if: isCancelled)
    return writer
  }
}
