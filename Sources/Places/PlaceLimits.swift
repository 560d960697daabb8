import Core

/// How much a place may hold. Places come from other people's devices and from files, and what
/// reads them must neither grow nor stop, whatever it is given.
public enum PlaceLimits {
  /// Of a place, a person, a group, a device, a tag, a kind of relationship; in bytes of UTF-8.
  public static let name = 200
  public static let description = 10_000
  /// Of a schedule's iCalendar text, in bytes.
  public static let schedule = 16_384
  /// In bytes; what HTTP asks servers to accept at least (RFC 9110, section 4.1).
  public static let uri = 8000
  /// Of what is written into the place itself, in bytes.
  public static let inlineText = 65_536
  /// Of a type and of a subtype, in bytes (RFC 6838, section 4.2).
  public static let mediaTypePart = 127

  public static let people = 1000
  public static let groups = 100
  public static let relationships = 200
  public static let tags = 100
  public static let beacons = 50
  public static let contents = 50

  public static let polygons = 256
  /// Outer ones and holes together.
  public static let rings = 512
  /// Of all rings together.
  public static let corners = 20_000

  /// No receiver knows better; and a quarter of the way round the Earth.
  public static let radius: ClosedRange<Metres> = 1...10_000_000
  /// How often a device that a place follows tells where it is.
  public static let followingInterval: ClosedRange<Seconds> = 1...86_400
  public static let followingDistance: ClosedRange<Metres> = 1...100_000
}
