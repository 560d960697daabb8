import Core

/// How much groups and meetings may be: they come from other people's devices, and what takes them
/// must neither grow nor stop, whatever it is given.
public enum GroupLimits {
  /// In bytes of UTF-8.
  public static let name = 200
  public static let description = 2000
  /// Who is allowed or invited, and who can be in a group or come to a meeting.
  public static let people = 100
  /// Those who left are remembered, so that what they sent before does not bring them back.
  public static let formerPeople = 100

  /// How far from the guide. Positions of two receivers are not known better than its least.
  public static let range: ClosedRange<Metres> = 20...50_000
  /// How old a position may be, and how often it is asked for.
  public static let age: ClosedRange<Seconds> = 30...86_400
  public static let pause: ClosedRange<Seconds> = 10...86_400

  /// Around a meeting.
  public static let radius: ClosedRange<Metres> = 10...50_000
  /// Of all rings of its region together.
  public static let corners = 400
  public static let meetings = 256
  /// Of one organizer other than oneself, neither joined nor over, so that nobody takes all the
  /// room.
  public static let meetingsPerOrganizer = 32
  /// Of a message, in bytes, with every character of its texts escaped.
  public static let message = 65_536
  /// Of what the store keeps of a group or a meeting.
  public static let state = 262_144
  public static let revisions = 1...(1 << 40)
  /// How far the time of a position or an attendance may be ahead: clocks are not even.
  public static let ahead: Seconds = 60
}
