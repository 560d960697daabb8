/// Words of which one is to be chosen, for a sentence.
public enum Alternatives {
  /// "a", "a or b", "a, b or c"; empty without words.
  /// - Parameter conjunction: "and" where all of them are meant.
  public static func text(_ words: [String], joinedBy conjunction: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
