import Core

/// Selects the item that is shown on entering a place (LYU1402, 5.5.1).
public enum ContentChoice {
  /// The score of an item, from the interest in its type and from earlier actions on it.
  public static func score(interest: Int, _ tally: ContentCounts) -> Int {
    10 * interest - tally.shown - 5 * tally.viewed - 100 * tally.addedToCalendar
  }

  /// The item with the highest score. Of several, each has the same chance, as in the document's
  /// proof. (The code beside the proof draws from one too many, and so favours the first.)
  ///
  /// Past events are never chosen: an item with a time is eligible only if it is known not to be
  /// over.
  ///
  /// - Parameter date: nil: unknown or unreliable.
  /// - Returns: nil: no item is eligible.
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
