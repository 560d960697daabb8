/// What MQTT, and its C library, can transmit as a text: MQTT 5, 1.5.4.
enum WireText {
  /// In bytes.
  static let longest = 65_535
  /// In bytes, for a payload with what precedes it in a packet: MQTT 5, 1.5.5.
  static let longestPayload = 268_435_455 - 4 * longest

  /// What is wrong with it, to follow its name; nil: nothing. A NUL would truncate it silently.
  static func problem(_ text: String) -> String? {
    if text.utf8.contains(0) { return "contains a NUL" }
    if text.utf8.count > longest { return "is longer than \(longest) bytes" }
    return nil
  }

  /// The problem of the first text that has one; nil stands for a text that is not sent.
  static func problem(_ texts: [(name: String, text: String?)]) -> String? {
    for (name, text) in texts {
      if let text, let problem = problem(text) { return "\(name) \(problem)" }
    }
    return nil
  }
}
