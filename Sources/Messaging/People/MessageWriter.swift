import Core

/// Writes messages: one JSON object on one line, keys always in the same order, so that the same
/// message always has the same bytes.
struct MessageWriter: Sendable {
  private var members: [(name: String, value: JSONValue)] = []

  /// - Parameter type: nil for a part of a message.
  init(_ type: String? = nil) {
    guard let type else { return }
    add("type", type)
    add("version", MessageReader.version)
  }

  var json: JSONValue { .object(members) }
  var bytes: [UInt8] { Array(json.text.utf8) }

  // MARK: Nil is left out

  mutating func add(_ name: String, json value: JSONValue?) {
    if let value { members.append((name, value)) }
  }
  mutating func add(_ name: String, _ text: String?) {
    add(name, json: text.map { .string($0) })
  }
  mutating func add(_ name: String, _ number: Int?) {
    add(name, json: number.map { .count($0) })
  }
  mutating func add(_ name: String, _ value: (some Quantity)?) {
    add(name, json: value.map { .number($0.value) })
  }
  mutating func add(_ name: String, _ id: UniqueID?) { add(name, id?.description) }
  mutating func add(_ name: String, _ time: UTCInstant?) {
    add(name, time.map { ISO8601.text($0) })
  }
  mutating func add(_ name: String, _ person: PersonAddress?) {
    add(name, person?.description)
  }
  mutating func add(_ name: String, _ people: [PersonAddress]?) {
    add(name, json: people.map { .array($0.map { .string($0.description) }) })
  }
  mutating func add(_ name: String, texts: [String]) {
    add(name, json: .array(texts.map { .string($0) }))
  }
  mutating func add(_ name: String, _ parts: [MessageWriter]) {
    add(name, json: .array(parts.map(\.json)))
  }
  /// Left out if false.
  mutating func add(_ name: String, if flag: Bool) {
    if flag { add(name, json: .bool(true)) }
  }
  /// "latitude" and "longitude", in degrees.
  mutating func add(_ position: Coordinate) {
    add("latitude", position.latitude)
    add("longitude", position.longitude)
  }
}
