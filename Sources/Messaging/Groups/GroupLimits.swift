import Core

/// Limits of groups and meetings. They come from other people's devices, and the receiving side
/// must neither grow without bound nor fail, whatever it is sent.
public enum GroupLimits {
  /// In bytes of UTF-8.
  public static let name = 200
  public static let description = 2000
  /// How many people may be allowed or invited, be in a group, or come to a meeting.
  public static let people = 100
  /// People who left are remembered, so that their older messages do not add them again.
  public static let formerPeople = 100

  /// The distance from the guide. The relative position of two receivers is no better than the
  /// minimum.
  public static let range: ClosedRange<Metres> = 20...50_000
  /// How old a position may be, and the interval of requests.
  public static let age: ClosedRange<Seconds> = 30...86_400
  public static let pause: ClosedRange<Seconds> = 10...86_400

  /// Around a meeting.
  public static let radius: ClosedRange<Metres> = 10...50_000
  /// For all rings of a region together.
  public static let corners = 400
  public static let meetings = 256
  /// For one organizer other than oneself, counting meetings neither joined nor over, so that one
  /// organizer cannot fill the list.
  public static let meetingsPerOrganizer = 32
  /// The size of a message in bytes, with every character of its texts escaped.
  public static let message = 65_536
  /// The size of a group or a meeting as the store keeps it, in bytes.
  public static let state = 262_144
  public static let revisions = 1...(1 << 40)
  /// How far the time of a position or a membership change may be in the future: clocks differ.
  public static let ahead: Seconds = 60
}
