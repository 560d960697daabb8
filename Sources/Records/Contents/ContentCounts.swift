/// The number of actions on an item so far (LYU1402, 5.4: the log).
public struct ContentCounts: Hashable, Sendable {
  public static let ranks = 1...5

  /// How often it was shown on entering a place.
  public private(set) var shown = 0
  /// How often it was viewed.
  public private(set) var viewed = 0
  public private(set) var addedToCalendar = 0
  /// 1 to 5, set once; nil: not yet.
  public private(set) var rank: Int?
  /// Whether it is saved for later.
  public private(set) var isSaved = false

  public init() {}

  /// The counts that the choice needs.
  public init(shown: Int, viewed: Int, addedToCalendar: Int) {
    self.shown = shown
    self.viewed = viewed
    self.addedToCalendar = addedToCalendar
  }

  /// - Throws: if the action is not possible; nothing has changed then.
  public mutating func count(_ action: ContentUse) throws(ContentRefusal) {
    switch action {
    case .shown: shown += 1
    case .viewed: viewed += 1
    case .addedToCalendar: addedToCalendar += 1
    case .saved: isSaved = true
    case .deleted:
      guard isSaved else { throw ContentRefusal("it is not among the saved ones") }
      isSaved = false
    case .ranked(let stars):
      if let rank {
        throw ContentRefusal("it was ranked \(rank) before, and an item can be ranked only once")
      }
      guard Self.ranks.contains(stars) else {
        throw ContentRefusal("\(stars) is not a rank: use 1 to 5")
      }
      rank = stars
    case .commented: break
    }
  }
}

/// An action on an item.
public enum ContentUse: Hashable, Sendable {
  /// It was shown on entering a place.
  case shown
  case viewed
  case saved
  /// It is no longer saved for later.
  case deleted
  case ranked(Int)
  /// Feedback to the author.
  case commented(String)
  case addedToCalendar
}

/// Why an action is not possible, and what is.
public struct ContentRefusal: Error, Equatable, Sendable {
  public let message: String
  public init(_ message: String) { self.message = message }
}
