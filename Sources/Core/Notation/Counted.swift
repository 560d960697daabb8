/// A number with the noun that it counts, for people: "1 fix", "2 fixes", "0 records".
public enum Counted {
  /// - Parameters:
  ///   - noun: of one: "fix".
  ///   - plural: nil for one with an s.
  public static func text(
    _ count: some BinaryInteger, _ noun: String, _ plural: String? = nil
  ) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
