import Core

/// Directions from a position to a place, for people.
public struct PlaceDirection: Hashable, Sendable {
  /// Along the surface, to the place's position and not to its edge.
  public let distance: Metres
  /// 0..<360 clockwise from true north, at the position.
  public let bearing: Degrees
  /// Clockwise from the board's heading, 0..<360; nil: the heading is unknown.
  public let relativeBearing: Degrees?

  private static let words = [
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
  ]
  private static let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]

  /// - Parameter heading: clockwise from true north; nil: unknown.
  public init(from position: Coordinate, heading: Degrees? = nil, to place: Coordinate) {
    distance = Sphere.distance(position, place)
    bearing = Sphere.bearing(from: position, to: place)
    relativeBearing = heading.flatMap { [bearing] heading in
      guard heading.isFinite else { return nil }
      let turned = (bearing - heading).value.truncatingRemainder(dividingBy: 360)
      return Degrees(turned < 0 ? turned + 360 : turned)
    }
  }

  /// The nearest of eight: "north-east".
  public var compassWord: String { Self.compassWord(of: bearing) }

  public static func compassWord(of bearing: Degrees) -> String { words[eighth(of: bearing)] }

  /// The nearest of eight; up is the board's heading, or north where that is unknown.
  public var arrow: Character { Self.arrows[Self.eighth(of: relativeBearing ?? bearing)] }

  /// In a straight line; nil for a board at rest or one that moves away from the place.
  public func time(at speed: MetresPerSecond) -> Seconds? {
    guard speed > 0, !(relativeBearing.map { (90...270).contains($0) } ?? false) else { return nil }
    return distance / speed
  }

  /// In a straight line.
  func arrival(after now: BootInstant, at speed: MetresPerSecond) -> BootInstant? {
    time(at: speed).map { now + $0 }
  }

  private static func eighth(of bearing: Degrees) -> Int {
    Int((bearing.value / 45).rounded()) % 8
  }
}
