import Core

/// The limits of a place. Places come from other people's devices and from files: no input may
/// cause unbounded memory or time.
public enum PlaceLimits {
  /// The name of a place, person, group, device, tag or kind of relationship, in bytes of UTF-8.
  public static let name = 200
  public static let description = 10_000
  /// A schedule's iCalendar text, in bytes.
  static let schedule = 16_384
  /// In bytes; what HTTP asks servers to accept at least (RFC 9110, section 4.1).
  static let uri = 8000
  /// Text stored in the place itself, in bytes.
  public static let inlineText = 65_536
  /// A type or a subtype, in bytes (RFC 6838, section 4.2).
  static let mediaTypePart = 127

  static let people = 1000
  static let groups = 100
  static let relationships = 200
  public static let tags = 100
  static let beacons = 50
  static let contents = 50

  static let polygons = 256
  /// Outer rings and holes together.
  static let rings = 512
  /// All rings together.
  public static let corners = 20_000

  /// From a receiver's best accuracy to a quarter of the way round the Earth.
  public static let radius: ClosedRange<Metres> = 1...10_000_000
  /// The update interval of a device that a place follows.
  static let followingInterval: ClosedRange<Seconds> = 1...86_400
  static let followingDistance: ClosedRange<Metres> = 1...100_000
}
