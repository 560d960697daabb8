import Core

/// Which item is shown on entering a place (LYU1402, 5.5.1).
public enum ContentChoice {
  /// Of a type score and of what happened to an item before.
  public static func score(interest: Int, _ tally: ContentCounts) -> Int {
    10 * interest - tally.shown - 5 * tally.viewed - 100 * tally.addedToCalendar
  }

  /// The one with the highest score; of several each with the same chance, as the document's proof
  /// has it. (The code beside the proof draws from one more than there are, and so favours the
  /// first.)
  ///
  /// Nobody is sent to what is over: what has a time is chosen only while it is known not to be.
  ///
  /// - Parameter date: nil: it is not known, or not sure.
  /// - Returns: nil: there is none.
  public static func choose(
    _ items: [ContentItem], _ tallies: [UniqueID: ContentCounts],
    interests: InterestScores, at date: UTCInstant?, using chance: inout some RandomNumberGenerator
  ) -> ContentItem? {
    let scored = items.filter { isCurrent($0, at: date) }.map {
      ($0, score(interest: interests[$0.type], tallies[$0.id] ?? ContentCounts()))
    }
    guard let best = scored.map(\.1).max() else { return nil }
    return scored.filter { $0.1 == best }.map(\.0).randomElement(using: &chance)
  }

  private static func isCurrent(_ item: ContentItem, at date: UTCInstant?) -> Bool {
    guard let happening = item.happening else { return true }
    return date.map { !happening.isOver(at: $0) } ?? false
  }
}
