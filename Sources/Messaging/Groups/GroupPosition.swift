import Core
import Records

/// Where a member of a group was, as published to the group.
public struct GroupPosition: Hashable, Sendable {
  let group: UniqueID
  let person: PersonAddress
  public let position: Coordinate
  /// The radius within which the person was, with a probability of 68 %.
  public let accuracy: Metres
  public let time: UTCInstant

  /// Covers what receivers report, and more than any group's range.
  private static let accuracies: ClosedRange<Metres> = 0...1_000_000

  /// - Throws: for invalid values, also for a time before the clock was set: the age of such a
  ///   position is unknown.
  public init(
    _ position: Coordinate, accuracy: Metres, at time: UTCInstant, of person: PersonAddress,
    in group: UniqueID
  ) throws(MessageError) {
    try MessageCheck.position(position, at: "latitude")
    try MessageCheck.quantity(accuracy, Self.accuracies, "accuracy", at: "accuracy_m")
    guard let date = MessageCheck.plausible(time) else {
      throw MessageError(
        "it comes from a clock that was not set: wait for a fix, which provides the time",
        at: "time")
    }
    self.group = group
    self.person = person
    self.position = MessageCheck.rounded(position)
    self.accuracy = MessageCheck.rounded(accuracy, digits: 1)
    self.time = date
  }

  // MARK: JSON

  static let type = "group_position"

  init(_ reader: MessageReader) throws(MessageError) {
    try self.init(
      try reader.position(), accuracy: Metres(try reader.number("accuracy_m")),
      at: try reader.time("time"), of: try reader.person("person"), in: try reader.id("group"))
  }

  var writer: MessageWriter {
    var writer = MessageWriter(Self.type)
    writer.add("group", group)
    writer.add("person", person)
    writer.add("time", time)
    writer.add(position)
    writer.add("accuracy_m", accuracy)
    return writer
  }
}
