import Core
import Records

/// The position that a message reveals, which decides whether the message may leave the board.
public struct PublishedPlace: Hashable, Sendable {
  public let position: Coordinate
  /// The radius within which the person was, with a probability of 68 %.
  public let accuracy: Metres
  /// Nil: another board published it.
  public let time: UTCInstant?

  init(_ position: GroupPosition) {
    self.position = position.position
    accuracy = position.accuracy
    time = position.time
  }

  /// A position that another board published.
  init(of position: Coordinate) {
    self.position = position
    accuracy = 0
    time = nil
  }

  // MARK: JSON

  /// - Throws: for what cannot come from the store.
  init(_ reader: MessageReader) throws(MessageError) {
    position = try reader.position()
    accuracy = reader.has("accuracy_m") ? Metres(try reader.number("accuracy_m")) : 0
    time = try reader.timeIfAny("time")
  }

  func write(into writer: inout MessageWriter) {
    writer.add(position)
    writer.add("accuracy_m", accuracy)
    writer.add("time", time)
  }
}
