import Core

/// Where a letter is left, independent of any board's own places: a circle, and the name of the
/// place.
public struct LetterCircle: Hashable, Sendable {
  /// The standard radius within which a letter is near (Landsmann 2013, 4.5.3, program 4.2).
  public static let landsmann: Metres = 20

  public let centre: Coordinate
  /// Within it a letter is delivered.
  public let radius: Metres
  /// The name of the place; nil: none was given.
  public let name: String?

  /// - Throws: if the values do not form a valid place.
  public init(
    centre: Coordinate, radius: Metres = landsmann, name: String? = nil
  ) throws(MessageError) {
    try MessageCheck.position(centre, at: "latitude")
    try MessageCheck.quantity(radius, MessagingLimits.letterRadius, "radius", at: "radius_m")
    if let name { try MessageCheck.name(name, atMost: MessagingLimits.name, at: "place") }
    self.centre = MessageCheck.rounded(centre)
    self.radius = MessageCheck.rounded(radius, digits: 1)
    self.name = name
  }

  init(_ reader: MessageReader) throws(MessageError) {
    try self.init(
      centre: try reader.position(),
      radius: reader.has("radius_m") ? Metres(try reader.number("radius_m")) : Self.landsmann,
      name: try reader.textIfAny("place"))
  }

  func write(into writer: inout MessageWriter) {
    writer.add(centre)
    writer.add("radius_m", radius)
    writer.add("place", name)
  }

  /// Where a letter is near: the standard circle, or the letter's own if that is larger.
  var surroundings: SphericalCap {
    SphericalCap(centre: centre, radius: max(radius, Self.landsmann))
  }
}
