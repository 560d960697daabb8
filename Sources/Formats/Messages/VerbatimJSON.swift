import Core

/// A JSON value that is passed on unchanged: its numbers keep all their digits, of which a `Double`
/// holds 15 to 17.
///
/// White space around values is omitted, and texts are escaped anew, so that invalid Unicode (half
/// of a surrogate pair) is not passed on.
public struct VerbatimJSON: Equatable, Sendable {
  let value: JSONValue
  /// Without white space; for a nested value a part of the outer text.
  let text: ArraySlice<UInt8>

  private init(_ value: JSONValue, _ text: ArraySlice<UInt8>) {
    self.value = value
    self.text = text
  }

  public init(_ value: JSONValue) { self.init(value, Array(value.text.utf8)[...]) }

  init(parsing bytes: [UInt8]) throws(JSONError) {
    // After this line everything is well-formed, and nested no deeper than the parser allows.
    self.init(try JSONValue(parsing: bytes), try Self.compacted(bytes)[...])
  }

  public static func == (a: Self, b: Self) -> Bool { a.text == b.text }

  /// The members of an object, in their order; nil: it is not an object.
  var members: [VerbatimMember]? {
    guard case .object(let members) = value else { return nil }
    return zip(members, parts).map { member, part in
      let name = Self.endOfText(in: part, from: part.startIndex)
      return VerbatimMember(member.name, VerbatimJSON(member.value, part[(name + 1)...]))
    }
  }

  /// The items of a list; nil: it is not a list.
  var items: [VerbatimJSON]? {
    guard let items = value.array else { return nil }
    return zip(items, parts).map { VerbatimJSON($0, $1) }
  }

  /// The text between the outermost brackets, split at the commas of that level.
  private var parts: [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    let end = text.endIndex - 1
    var index = text.startIndex + 1
    var start = index
    var depth = 0
    while index < end {
      switch text[index] {
      case UInt8(ascii: "\""):
        index = Self.endOfText(in: text, from: index)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        parts.append(text[start..<index])
        start = index + 1
      default: break
      }
      index += 1
    }
    if start < end { parts.append(text[start..<end]) }
    return parts
  }

  private static func compacted(_ bytes: [UInt8]) throws(JSONError) -> [UInt8] {
    var compact: [UInt8] = []
    compact.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0a, 0x0d, 0x09: index += 1
      case UInt8(ascii: "\""):
        let end = endOfText(in: bytes[...], from: index)
        compact += try JSONValue(parsing: Array(bytes[index..<end])).text.utf8
        index = end
      default:
        compact.append(bytes[index])
        index += 1
      }
    }
    return compact
  }

  /// The index after the closing quotation mark.
  private static func endOfText(in text: ArraySlice<UInt8>, from quote: Int) -> Int {
    var index = quote + 1
    while text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index + 1
  }
}

/// An unknown member of a message, which is kept.
public struct VerbatimMember: Equatable, Sendable {
  let name: String
  let value: VerbatimJSON

  public init(_ name: String, _ value: VerbatimJSON) {
    self.name = name
    self.value = value
  }
}

extension JSONWriter {
  /// The last members of an object: nothing may follow, as no comma would be written.
  mutating func members(_ members: [VerbatimMember]) {
    for (index, member) in members.enumerated() {
      if index > 0 { raw(",") }
      key(dynamic: member.name)
      raw(String(decoding: member.value.text, as: UTF8.self))
    }
  }
}
