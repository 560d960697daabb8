/// A number with its noun, for people: "1 fix", "2 fixes", "0 records".
public enum Counted {
  /// - Parameters:
  ///   - noun: the singular: "fix".
  ///   - plural: nil where it is the noun with an s.
  public static func text(
    _ count: some BinaryInteger, _ noun: String, _ plural: String? = nil
  ) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
