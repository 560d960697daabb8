/// Bytes for tests, as data sheets and transcripts print them.
enum Hex {
  /// Two digits a byte, blanks between them or not.
  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }
    precondition(digits.count % 2 == 0)
    var rest = digits[...]
    var bytes: [UInt8] = []
    while !rest.isEmpty {
      bytes.append(UInt8(rest.prefix(2), radix: 16)!)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
