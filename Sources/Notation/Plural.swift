/// Counted things in words.
public enum Plural {
  /// "1 fix", "2 fixes", "0 records".
  public static func text(_ count: some BinaryInteger, _ singular: String) -> String {
    guard count != 1 else { return "1 \(singular)" }
    let needsE = ["s", "x", "ch", "sh"].contains { singular.hasSuffix($0) }
    return "\(count) \(singular)\(needsE ? "es" : "s")"
  }
}
