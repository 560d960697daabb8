/// The text of a piece of HTML, as found in descriptions, without the tags.
enum HTMLText {
  private static let breaks: Set<String> = [
    "br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "table", "hr",
  ]
  private static let entities: [String: Character] = [
    "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'", "nbsp": " ",
  ]
  /// The longest entity that is recognized: "&#x10ffff;".
  private static let maxEntity = 10
  /// The longest tag that is recognized, and the longest text that is searched: many unclosed tags
  /// would take quadratic time.
  private static let maxTag = 500
  private static let maxLength = 65_536

  static func plain(_ html: String) -> String {
    guard html.utf8.count <= maxLength else { return html }
    var text = ""
    var rest = html[...]
    while let index = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      text += rest[..<index]
      rest = rest[index...]
      if rest.first == "<", let end = tagEnd(rest) {
        let name = rest[..<end].dropFirst().drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
        if breaks.contains(name.lowercased()), text.last != "\n" { text += "\n" }
        rest = rest[rest.index(after: end)...]
      } else if rest.first == "&", let (character, end) = entity(rest) {
        text.append(character)
        rest = rest[end...]
      } else {
        text += rest.prefix(1)
        rest = rest.dropFirst()
      }
    }
    return (text + rest).trimmed
  }

  /// A "<" begins a tag only before a letter, a slash or an exclamation mark.
  private static func tagEnd(_ rest: Substring) -> Substring.Index? {
    guard let next = rest.dropFirst().first, next.isLetter || next == "/" || next == "!" else {
      return nil
    }
    return rest.prefix(maxTag).firstIndex(of: ">")
  }

  private static func entity(_ rest: Substring) -> (Character, Substring.Index)? {
    let window = rest.prefix(maxEntity)
    guard let end = window.firstIndex(of: ";") else { return nil }
    let name = window[..<end].dropFirst()
    let after = rest.index(after: end)
    if let character = entities[String(name)] { return (character, after) }
    let digits = name.dropFirst()
    guard name.first == "#", let first = digits.first else { return nil }
    let number =
      first == "x" || first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map { (Character($0), after) }
  }
}
