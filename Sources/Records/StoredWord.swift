/// A fixed word in a column. Its meaning is declared beside it, so that the manual of the store is
/// complete.
public protocol StoredWord: RawRepresentable, CaseIterable, Sendable where RawValue == String {
  /// A sentence without the word itself.
  var meaning: String { get }
}

extension StoredWord {
  public static var meanings: [WordMeaning] {
    allCases.map { WordMeaning(word: $0.rawValue, meaning: $0.meaning) }
  }
}

/// A word and its meaning, for the manual.
public struct WordMeaning: Hashable, Sendable {
  public let word: String
  public let meaning: String
}
