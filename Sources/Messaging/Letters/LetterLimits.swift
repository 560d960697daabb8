import Core

/// How much letters may be. They come from other people's devices, and what takes them must neither
/// grow nor stop, whatever it is given.
public enum LetterLimits {
  /// Of a letter, in bytes of UTF-8.
  public static let text = 2000
  /// Of a place and of a letterbox.
  public static let name = 200
  /// To whom one letter can be, and who can have one box.
  public static let people = 50
  /// No receiver knows better; what is larger is no place for a letter.
  public static let radius: ClosedRange<Metres> = 1...10_000
  /// Of a message on one line, with every character of its texts escaped.
  public static let message = 16_384

  /// That wait or are not read, of all contacts together.
  public static let letters = 256
  /// The same of those who are none: room of their own, so that they take none of a contact's.
  public static let lettersOfStrangers = 128
  /// Of one sender, so that one alone cannot take all the room.
  public static let perSender = 64
  /// Of contacts to everybody, so that these cannot keep out what is for this person.
  public static let toEverybody = 128
  public static let boxes = 64
  /// Of others together, who cannot keep this person from having some, and of one of them.
  public static let boxesOfOthers = 48
  public static let boxesPerOwner = 32
  /// Of those who are no contacts, together.
  public static let boxesOfStrangers = 16
  /// Of the receipts that can be kept until they are sent, those that strangers' letters leave.
  static let receiptsForContacts = 250
  /// That were read and are kept to be answered.
  public static let read = 64
  /// What is remembered of letters that are settled, so that they are not delivered again.
  public static let settled = 2048
  /// Written here, and on their way or waiting for their addressees.
  public static let outgoing = 256
  /// Written here and over, kept so that their writer sees what became of them.
  public static let over = 64
}
