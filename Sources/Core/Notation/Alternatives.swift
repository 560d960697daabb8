/// Words of which one is to be chosen, for a sentence.
public enum Alternatives {
  /// "a", "a or b", "a, b or c"; empty without words.
  public static func text(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
