import Core

/// Limits of letters. They come from other people's devices, and the receiving side must neither
/// grow without bound nor fail, whatever it is sent.
public enum LetterLimits {
  /// The text of a letter, in bytes of UTF-8.
  public static let text = 2000
  /// The name of a place and of a letterbox, in bytes of UTF-8.
  public static let name = 200
  /// The addressees of one letter, and the people of one box.
  public static let people = 50
  /// No receiver is more accurate than the minimum; above the maximum it is no place for a letter.
  public static let radius: ClosedRange<Metres> = 1...10_000
  /// A message on one line, in bytes, with every character of its texts escaped.
  public static let message = 16_384

  /// Letters waiting or unread, of all contacts together.
  public static let letters = 256
  /// The same for unknown people: a separate limit, so that they take no room from contacts.
  public static let lettersOfUnknown = 128
  /// Per sender, so that one sender cannot take all the room.
  public static let perSender = 64
  /// Contacts' letters to everybody, so that these cannot keep out letters to this person.
  public static let toEverybody = 128
  public static let boxes = 64
  /// Letterboxes of all others together, so that they leave room for this person's own; and per
  /// owner.
  public static let boxesOfOthers = 48
  public static let boxesPerOwner = 32
  /// Letterboxes of people who are not contacts, together.
  public static let boxesOfUnknown = 16
  /// The part of the room for receipts that is reserved for contacts.
  static let receiptsForContacts = 250
  /// Read letters that are kept so that they can be answered.
  public static let read = 64
  /// Records of settled letters, kept so that they are not delivered again.
  public static let settled = 2048
  /// Letters written here that are being sent or waiting for their addressees.
  public static let outgoing = 256
  /// Letters written here that are over, kept so that their writer sees the outcome.
  public static let over = 64
}
