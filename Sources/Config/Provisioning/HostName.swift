/// A host name: one label of RFC 1123, section 2.1.
enum HostName {
  static let fallback = "godwit"
  static let accepts = "1 to 63 letters, digits and '-', without '-' at either end"
  private static let maxLength = 63

  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let hyphen = UInt8(ascii: "-")
    return (1...maxLength).contains(bytes.count) && bytes.allSatisfy { $0 == hyphen || isLabel($0) }
      && bytes.first != hyphen && bytes.last != hyphen
  }

  /// The closest valid name; nil if no character of the text is usable.
  static func made(from text: String) -> String? {
    var name: [UInt8] = []
    for character in text {
      if let byte = character.asciiValue, isLabel(byte) {
        name.append(byte)
      } else if let last = name.last, last != UInt8(ascii: "-") {
        name.append(UInt8(ascii: "-"))
      }
    }
    name = Array(name.prefix(maxLength))
    if name.last == UInt8(ascii: "-") { name.removeLast() }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self).lowercased()
  }

  private static func isLabel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
