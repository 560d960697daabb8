import Core

/// Reads the members of a message: one JSON object with its type and its version. Unknown members
/// are ignored, so that a later version can add some.
struct MessageReader: Sendable {
  /// The version written, and the latest that is understood.
  static let version = 1

  private let json: JSONValue
  /// The path of the object within the message: empty for the whole message.
  private let path: String

  /// - Parameter most: how many bytes the message may have.
  /// - Throws: unless it is a JSON object of a known version.
  init(_ bytes: some Collection<UInt8>, atMost most: Int) throws(MessageError) {
    guard bytes.count <= most else {
      throw MessageError("\(bytes.count) bytes: a message has at most \(most)")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw MessageError("it is not UTF-8: convert it to UTF-8")
    }
    let json: JSONValue
    do { json = try JSONValue(parsing: Array(bytes)) } catch {
      throw MessageError(error.description)
    }
    try self.init(json)
  }

  init(_ json: JSONValue) throws(MessageError) {
    guard case .object = json else {
      throw MessageError("it is not a JSON object: write one in { and }")
    }
    self.init(json, at: "")
    let version = try integer("version", 1...Int.max)
    guard version <= Self.version else {
      throw MessageError(
        "\(version) is newer than the supported version (\(Self.version)): update Godwit",
        at: "version")
    }
  }

  private init(_ json: JSONValue, at path: String) {
    self.json = json
    self.path = path
  }

  /// The type of the message: "letter", "meeting".
  var type: String { json["type"]?.string ?? "" }

  /// - Throws: if it is another type.
  func expect(_ expected: String) throws(MessageError) {
    guard type == expected else {
      throw MessageError(
        "it is \(Quoted.text(type)) instead of \"\(expected)\": check the message",
        at: "type")
    }
  }

  /// Whether there is such a member, and it is not null.
  func has(_ name: String) -> Bool {
    guard let value = json[name] else { return false }
    return value != .null
  }

  // MARK: Members that must be there

  func text(_ name: String) throws(MessageError) -> String {
    guard let text = try required(name).string else { throw wrong(name, "a text in quotes") }
    return text
  }

  func number(_ name: String) throws(MessageError) -> Double {
    guard let number = try required(name).number else { throw wrong(name, "a number") }
    return number
  }

  func integer(_ name: String, _ range: ClosedRange<Int>) throws(MessageError) -> Int {
    guard let number = try required(name).integer else { throw wrong(name, "a whole number") }
    guard range.contains(number) else {
      let most = range.upperBound == .max ? "" : ", at most \(range.upperBound)"
      throw MessageError(
        "\(number) is out of range: use at least \(range.lowerBound)\(most)", at: full(name))
    }
    return number
  }

  func id(_ name: String) throws(MessageError) -> UniqueID {
    guard let id = UniqueID(try text(name)) else {
      throw wrong(name, "a UUID such as 123e4567-e89b-42d3-a456-426614174000")
    }
    return id
  }

  func time(_ name: String) throws(MessageError) -> UTCInstant {
    guard let time = ISO8601.parse(try text(name)) else {
      throw wrong(name, "a time such as 2026-05-01T12:34:56Z")
    }
    return MessageCheck.toMillisecond(time)
  }

  func person(_ name: String) throws(MessageError) -> PersonAddress {
    let text = try text(name)
    do { return try PersonAddress(text) } catch { throw error.within(full(name)) }
  }

  func people(_ name: String) throws(MessageError) -> [PersonAddress] {
    var people: [PersonAddress] = []
    for (index, value) in try list(name).enumerated() {
      let path = full("\(name)[\(index)]")
      guard let text = value.string else {
        throw MessageError("an address in quotes is expected", at: path)
      }
      do { people.append(try PersonAddress(text)) } catch { throw error.within(path) }
    }
    return people
  }

  func texts(_ name: String) throws(MessageError) -> [String] {
    var texts: [String] = []
    for (index, value) in try list(name).enumerated() {
      guard let text = value.string else { throw wrong("\(name)[\(index)]", "a text in quotes") }
      texts.append(text)
    }
    return texts
  }

  func list(_ name: String) throws(MessageError) -> [JSONValue] {
    guard let list = try required(name).array else { throw wrong(name, "a list in [ and ]") }
    return list
  }

  /// "latitude" and "longitude", in degrees.
  func position() throws(MessageError) -> Coordinate {
    let position = Coordinate(
      latitude: Degrees(try number("latitude")), longitude: Degrees(try number("longitude")))
    try MessageCheck.position(position, at: full("latitude"))
    return position
  }

  /// An object within the message.
  func part(_ name: String) throws(MessageError) -> MessageReader {
    let value = try required(name)
    guard case .object = value else { throw wrong(name, "an object in { and }") }
    return MessageReader(value, at: full(name))
  }

  /// Objects of a list.
  func parts(_ name: String) throws(MessageError) -> [MessageReader] {
    var parts: [MessageReader] = []
    for (index, value) in try list(name).enumerated() {
      guard case .object = value else { throw wrong("\(name)[\(index)]", "an object in { and }") }
      parts.append(MessageReader(value, at: full("\(name)[\(index)]")))
    }
    return parts
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type = Word.self
  ) throws(MessageError) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: try text(name)) else {
      throw wrong(name, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  // MARK: Members that may be missing, or null

  func textIfAny(_ name: String) throws(MessageError) -> String? {
    has(name) ? try text(name) : nil
  }
  func idIfAny(_ name: String) throws(MessageError) -> UniqueID? {
    has(name) ? try id(name) : nil
  }
  func timeIfAny(_ name: String) throws(MessageError) -> UTCInstant? {
    has(name) ? try time(name) : nil
  }
  /// Periods of time, with the rules of their time zone in the text.
  func scheduleIfAny(_ name: String) throws(MessageError) -> Schedule? {
    guard let text = try textIfAny(name) else { return nil }
    do { return try Schedule(withZoneRules: text) } catch {
      throw MessageError("it \(error)", at: full(name))
    }
  }
  /// False where it is missing.
  func flag(_ name: String) throws(MessageError) -> Bool {
    guard has(name) else { return false }
    guard let flag = json[name]?.bool else { throw wrong(name, "true or false") }
    return flag
  }

  /// The raw value; nil where it is missing.
  subscript(_ name: String) -> JSONValue? { json[name] }

  private func required(_ name: String) throws(MessageError) -> JSONValue {
    guard let value = json[name], value != .null else {
      throw MessageError("it is missing: add it", at: full(name))
    }
    return value
  }

  private func wrong(_ name: String, _ expected: String) -> MessageError {
    MessageError("\(expected) is expected", at: full(name))
  }

  private func full(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
