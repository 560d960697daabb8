import Core

/// Limits of messages. They come from other people's devices, and the receiving side must neither
/// grow without bound nor fail, whatever it is sent.
public enum MessagingLimits {
  // MARK: One message; texts in bytes of UTF-8

  /// A message on one line, in bytes, with every character of its texts escaped.
  static let message = 65_536
  /// A message of letters, in the same way.
  public static let letterMessage = 16_384
  /// The text of a letter.
  public static let text = 2000
  /// The name of a place, a letterbox, a group and a meeting.
  static let name = 200
  /// The description of a group and a meeting.
  static let description = 2000
  /// The schedule of a group and a meeting.
  static let schedule = 1000
  static let revisions = 1...(1 << 40)
  /// The addressees of one letter, and the people of one box.
  static let addressees = 50
  /// No receiver is more accurate than the minimum; above the maximum it is no place for a letter.
  static let letterRadius: ClosedRange<Metres> = 1...10_000
  /// The distance from a group's guide. The relative position of two receivers is no better than
  /// the minimum.
  static let groupRange: ClosedRange<Metres> = 20...50_000
  /// How old a group's position may be, and the interval of requests.
  static let positionAge: ClosedRange<Seconds> = 30...86_400
  static let positionPause: ClosedRange<Seconds> = 10...86_400
  /// How far the time of a position or a membership change may be in the future: clocks differ.
  static let ahead: Seconds = 60
  /// Around a meeting.
  static let meetingRadius: ClosedRange<Metres> = 10...50_000
  /// For all rings of a region together.
  static let corners = 400

  // MARK: What is kept

  /// Letters waiting or unread, of all contacts together.
  static let letters = 256
  /// The same for unknown people: a separate limit, so that they take no room from contacts.
  static let lettersOfUnknown = 128
  /// Per sender, so that one sender cannot take all the room.
  static let lettersPerSender = 64
  /// Contacts' letters to everybody, so that these cannot keep out letters to this person.
  static let lettersToEverybody = 128
  /// Read letters that are kept so that they can be answered.
  static let readLetters = 64
  /// Records of settled letters, kept so that they are not delivered again.
  static let settledLetters = 2048
  /// Letters written here that are being sent or waiting for their addressees.
  public static let outgoing = 256
  /// Letters written here that are over, kept so that their writer sees the outcome.
  static let outgoingOver = 64
  static let boxes = 64
  /// Letterboxes of all others together, so that they leave room for this person's own; and per
  /// owner.
  static let boxesOfOthers = 48
  static let boxesPerOwner = 32
  /// Letterboxes of people who are not contacts, together.
  static let boxesOfUnknown = 16
  /// When the list is full, groups that were found but not joined are removed first.
  static let groups = 64
  /// How many people may be allowed or invited, be in a group, or come to a meeting.
  static let members = 100
  /// People who left are remembered, so that their older messages do not add them again.
  static let formerMembers = 100
  static let meetings = 256
  /// For one organizer other than oneself, counting meetings neither joined nor over, so that one
  /// organizer cannot fill the list.
  static let meetingsPerOrganizer = 32
  /// The size of a group or a meeting as the store keeps it, in bytes.
  static let state = 262_144

  // MARK: What still has to be sent

  /// The limit for receipts, and separately for everything else. Anything beyond it waits or is
  /// refused to the person who requested it, so that nothing is lost.
  static let pending = 1000
  /// The part of the room for receipts that is reserved for contacts.
  static let receiptsForContacts = 250
}
