import Notation

/// Text from outside, made safe to print and bounded.
enum AnswerText {
  static let longest = 128

  /// Up to the first NUL; what is not printable ASCII becomes `?`.
  static func printable(_ bytes: some Sequence<UInt8>, atMost longest: Int = longest) -> String {
    let text = TerminalText.ascii(bytes.prefix { $0 != 0 }, atMost: longest)
    guard let end = text.lastIndex(where: { $0 != " " }) else { return "" }
    return String(text[...end])
  }

  /// What stands between the commas.
  static func fields(_ bytes: UnsafeBufferPointer<UInt8>) -> [String] {
    bytes.split(separator: UInt8(ascii: ","), maxSplits: 31, omittingEmptySubsequences: false)
      .map { printable($0) }
  }
}
