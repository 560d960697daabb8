import Core

/// The way from a position to a place, as a person is told it.
public struct PlaceDirection: Hashable, Sendable {
  /// Along the surface, to where the place is, not to its edge.
  public let distance: Metres
  /// 0..<360 clockwise from true north, at the position.
  public let bearing: Degrees
  /// Clockwise from the way that the board goes, 0..<360; nil where that is not known.
  public let relativeBearing: Degrees?

  private static let words = [
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
  ]
  private static let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]

  /// - Parameter heading: where the board goes, clockwise from true north; nil: it is not known.
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

  /// The nearest of eight, up being the way that the board goes, or north where that is not known.
  public var arrow: Character { Self.arrows[Self.eighth(of: relativeBearing ?? bearing)] }

  /// Straight there; nil where nothing moves, or the way that the board goes leads away from it.
  public func time(at speed: MetresPerSecond) -> Seconds? {
    guard speed > 0, !(relativeBearing.map { (90...270).contains($0) } ?? false) else { return nil }
    return distance / speed
  }

  /// Straight there.
  public func arrival(after now: BootInstant, at speed: MetresPerSecond) -> BootInstant? {
    time(at: speed).map { now + $0 }
  }

  private static func eighth(of bearing: Degrees) -> Int {
    Int((bearing.value / 45).rounded()) % 8
  }
}
