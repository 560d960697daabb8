import Core
import Places

/// The named properties of a place in a file, in the form of the program that wrote it: GDAL writes
/// lists and objects as JSON in a text, or a list as "(2:a,b)", and times with slashes.
///
/// Names may be in upper or lower case. Null or an empty text counts as absent.
struct PlaceProperties: Sendable {
  /// A value with its name.
  typealias Found = (name: String, value: JSONValue)

  /// How many of the unread names are listed.
  private static let mostListed = 8

  private var path: String?
  private var members: [Found] = []
  /// By the name in lower case.
  private var places: [String: Int] = [:]
  private var readNames: Set<String> = []

  mutating func add(_ name: String, _ value: JSONValue) {
    guard !Self.isNothing(value) else { return }
    let key = name.lowercased()
    if let place = places[key] {
      // Of several that differ in case, the one in lower case is used.
      if name == key { members[place] = (name, value) }
    } else {
      places[key] = members.count
      members.append((name, value))
    }
  }

  init() {}

  /// - Parameters:
  ///   - json: the members of an object; anything else has none.
  ///   - path: prefix of the names in errors.
  init(_ json: JSONValue?, within path: String? = nil) {
    guard case .object(let members) = json else { return }
    self.path = path
    for (name, value) in members { add(name, value) }
  }

  private static func isNothing(_ value: JSONValue) -> Bool {
    switch value {
    case .null: true
    case .string(let text): text.isEmpty
    default: false
    }
  }

  /// The value of the first of these names, in lower case, that is present.
  mutating func find(_ names: String...) -> Found? {
    readNames.formUnion(names)
    guard let place = names.compactMap({ places[$0] }).first else { return nil }
    let (name, value) = members[place]
    return (path.map { "\($0).\(name)" } ?? name, value)
  }

  func has(_ name: String) -> Bool { places[name] != nil }

  /// The properties that were not read, as a notice.
  var unreadNames: String? {
    let names = places.filter { !readNames.contains($0.key) }.values.sorted().map {
      members[$0].name
    }
    guard !names.isEmpty else { return nil }
    let some = names.prefix(Self.mostListed).map(Quoted.text).joined(separator: ", ")
    let more = names.count > Self.mostListed ? " and \(names.count - Self.mostListed) more" : ""
    return "not imported: \(some)\(more)"
  }
}

// MARK: Typed values

extension PlaceProperties {
  static func fault(_ found: Found, _ reason: String) -> PlaceError {
    PlaceError(.malformed, at: found.name, reason)
  }

  /// A text; a number or a flag as it is written.
  static func text(_ found: Found) throws(PlaceError) -> String {
    switch found.value {
    case .string(let text): return text
    case .number, .bool: return found.value.text
    default: throw fault(found, "it is not text")
    }
  }

  /// A plain text, which may look like a list or an object, and which GDAL has then converted to
  /// one.
  static func plainText(_ found: Found) throws(PlaceError) -> String {
    switch found.value {
    case .array, .object: return found.value.text
    default: return try text(found)
    }
  }

  static func number(_ found: Found) throws(PlaceError) -> Double {
    if let number = found.value.number { return number }
    if let text = found.value.string, let number = DecimalNumber.parse(text) { return number }
    throw fault(found, "\(Quoted.text(found.value.string ?? found.value.text)) is not a number")
  }

  /// Beyond 2^53 an integer is written as a text (RFC 7493, section 2.2).
  static func whole(_ found: Found) throws(PlaceError) -> Int {
    if let text = found.value.string, let whole = Int(text.trimmed) { return whole }
    guard let whole = Int(exactly: try number(found)) else {
      throw fault(found, "it is not a whole number")
    }
    return whole
  }

  static func flag(_ found: Found) throws(PlaceError) -> Bool {
    switch found.value {
    case .bool(let flag): return flag
    case .string("true"), .number(1): return true
    case .string("false"), .number(0): return false
    default: throw fault(found, "it is neither true nor false")
    }
  }

  /// ISO 8601, or GDAL's form: 2026/05/01 12:34:56+00. KML also has years and months.
  static func time(_ found: Found) throws(PlaceError) -> UTCInstant {
    let written = found.value.string ?? ""
    let text = String(written.trimmed.prefix(40)).replacing("/", with: "-")
    let rest = text.utf8.count == 4 ? "-01-01" : text.utf8.count == 7 ? "-01" : ""
    guard let instant = ISO8601.parse(text + rest) else {
      throw fault(
        found,
        "\(Quoted.text(written)) is not a time: write it as 2026-05-01T12:34:56Z")
    }
    return instant
  }

  /// Longitude and latitude; further numbers are ignored.
  static func position(_ found: Found) throws(PlaceError) -> Coordinate {
    let numbers = try list(found)
    guard numbers.count >= 2 else {
      throw fault(found, "it is not a position: write [longitude, latitude]")
    }
    return Coordinate(
      latitude: Degrees(try number((found.name, numbers[1]))),
      longitude: Degrees(try number((found.name, numbers[0]))))
  }

  /// An array, or a text that contains one.
  static func list(_ found: Found) throws(PlaceError) -> [JSONValue] {
    if case .array(let items) = found.value { return items }
    guard let text = found.value.string else { throw fault(found, "it is not a list") }
    if text.trimmed.first == "[" { return try structure(found).array ?? [] }
    guard JSONExtent.placeLimits.allow(valuesOf: text) else {
      throw fault(found, JSONExtent.Excess.values.reason)
    }
    return words(text).map { .string($0) }
  }

  static func texts(_ found: Found) throws(PlaceError) -> [String] {
    var texts: [String] = []
    for (index, item) in try list(found).enumerated() {
      texts.append(try text(("\(found.name)[\(index)]", item)))
    }
    return texts
  }

  /// A comma-separated list, without duplicates, also in GDAL's form for a format without lists:
  /// "(2:a,b)".
  private static func words(_ text: String) -> [String] {
    var rest = text.trimmed[...]
    if rest.first == "(", rest.last == ")", let colon = rest.firstIndex(of: ":"),
      Int(rest[..<colon].dropFirst()) != nil
    {
      rest = rest[rest.index(after: colon)...].dropLast()
    }
    return rest.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
  }

  /// An object or an array, possibly in a text.
  static func structure(_ found: Found) throws(PlaceError) -> JSONValue {
    switch found.value {
    case .object, .array: return found.value
    case .string(let text):
      guard JSONExtent.placeLimits.allow(valuesOf: text) else {
        throw fault(found, JSONExtent.Excess.values.reason)
      }
      do { return try JSONValue(parsing: text) } catch {
        throw fault(found, error.description)
      }
    default: throw fault(found, "it is neither an object nor a list")
    }
  }
}

/// A decimal number in a text: digits, a sign, a point, an exponent. Not Swift's other forms: nan,
/// infinity, hexadecimal digits.
enum DecimalNumber {
  static func parse(_ text: some StringProtocol) -> Double? {
    let text = text.trimmed
    let isPlain = text.utf8.allSatisfy { byte in
      byte &- UInt8(ascii: "0") <= 9 || "+-.eE".utf8.contains(byte)
    }
    guard isPlain, let number = Double(text), number.isFinite else { return nil }
    return number
  }
}

extension StringProtocol {
  /// Without leading and trailing white space.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
