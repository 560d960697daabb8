/// What MQTT, and the C library that speaks it, can carry as a text: MQTT 5, 1.5.4.
enum WireText {
  /// Bytes.
  static let longest = 65_535
  /// Bytes of a payload, with what goes before it in a packet: MQTT 5, 1.5.5.
  static let longestPayload = 268_435_455 - 4 * longest

  /// What is wrong with it, after its name; nil: nothing. A NUL would cut it short without a word.
  static func problem(_ text: String) -> String? {
    if text.utf8.contains(0) { return "has a NUL in it" }
    if text.utf8.count > longest { return "is longer than \(longest) bytes" }
    return nil
  }

  /// Of the first that has one: nil stands for what is not said.
  static func problem(_ texts: [(name: String, text: String?)]) -> String? {
    for (name, text) in texts {
      if let text, let problem = problem(text) { return "\(name) \(problem)" }
    }
    return nil
  }
}
