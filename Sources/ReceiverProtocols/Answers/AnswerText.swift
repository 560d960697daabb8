/// Text from outside, made safe to print and bounded.
enum AnswerText {
  static let longest = 128

  /// Up to the first NUL; what is not printable ASCII becomes `?`.
  static func printable(_ bytes: some Sequence<UInt8>, atMost longest: Int = longest) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      guard byte != 0, text.count < longest else { break }
      text.append((0x20...0x7e).contains(byte) ? byte : UInt8(ascii: "?"))
    }
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// What stands between the commas.
  static func fields(_ bytes: UnsafeBufferPointer<UInt8>) -> [String] {
    bytes.split(separator: UInt8(ascii: ","), maxSplits: 31, omittingEmptySubsequences: false)
      .map { printable($0) }
  }
}
