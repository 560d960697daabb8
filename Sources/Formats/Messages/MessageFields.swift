import Core

/// The members of a received message: each is read by its name and type, and the others are kept.
///
/// Null counts as absent. A member of the wrong type is an error: a message that is only partly
/// valid is refused.
struct MessageFields {
  /// Seconds since 1970: 0 comes from a clock that was never set.
  private static let moments = 1.0...8e9

  private let members: [VerbatimMember]
  private var readNames: Set<String> = []

  init(_ json: VerbatimJSON) throws(MessageError) {
    guard let members = json.members else { throw MessageError("it is not a JSON object") }
    self.members = members
  }

  private mutating func find(_ name: String) -> JSONValue? { verbatim(name)?.value }

  /// The members that were not read, in their order.
  var rest: [VerbatimMember] { members.filter { !readNames.contains($0.name) } }

  mutating func verbatim(_ name: String) -> VerbatimJSON? {
    readNames.insert(name)
    let value = members.last { $0.name == name }?.value
    return value?.value == .null ? nil : value
  }

  mutating func text(_ name: String) throws(MessageError) -> String? {
    guard let value = find(name) else { return nil }
    guard let text = value.string else { throw MessageError("it is not text", at: name) }
    return text
  }

  /// One of the known words. An unknown one is kept without a meaning; the rest of the message is
  /// valid.
  mutating func word<Word: RawRepresentable<String>>(
    _ name: String, as _: Word.Type
  ) throws(MessageError) -> Word? { recognized(name, try text(name).flatMap(Word.init)) }

  /// The same for numeric codes.
  mutating func code<Code: RawRepresentable<Int>>(
    _ name: String, as _: Code.Type
  ) throws(MessageError) -> Code? { recognized(name, try whole(name).flatMap(Code.init)) }

  private mutating func recognized<Meaning>(_ name: String, _ meaning: Meaning?) -> Meaning? {
    if meaning == nil { readNames.remove(name) }
    return meaning
  }

  mutating func number(_ name: String) throws(MessageError) -> Double? {
    guard let value = find(name) else { return nil }
    guard let number = value.number else { throw MessageError("it is not a number", at: name) }
    return number
  }

  mutating func number(
    _ name: String, in range: ClosedRange<Double>
  ) throws(MessageError) -> Double? {
    guard let number = try number(name) else { return nil }
    guard range.contains(number) else {
      throw MessageError("it must be from \(range.lowerBound) to \(range.upperBound)", at: name)
    }
    return number
  }

  mutating func whole(
    _ name: String, in range: ClosedRange<Double>? = nil
  ) throws(MessageError) -> Int? {
    let given = if let range { try number(name, in: range) } else { try number(name) }
    guard let number = given else { return nil }
    guard let whole = Int(exactly: number) else {
      throw MessageError("it is not a whole number", at: name)
    }
    return whole
  }

  mutating func flag(_ name: String) throws(MessageError) -> Bool? {
    guard let value = find(name) else { return nil }
    guard let flag = value.bool else {
      throw MessageError("it is neither true nor false", at: name)
    }
    return flag
  }

  mutating func texts(_ name: String) throws(MessageError) -> [String] {
    guard let value = find(name) else { return [] }
    guard let items = value.array else { throw MessageError("it is not a list", at: name) }
    var texts: [String] = []
    for item in items {
      guard let text = item.string else {
        throw MessageError("it is not a list of texts", at: name)
      }
      texts.append(text)
    }
    return texts
  }

  /// Seconds since 1970, up to the year 2223.
  mutating func time(_ name: String) throws(MessageError) -> UTCInstant? {
    guard let seconds = try number(name, in: Self.moments) else { return nil }
    // A `Seconds` is limited to 146 years.
    return UTCInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// From the members `lat` and `lon`, in degrees.
  mutating func position() throws(MessageError) -> Coordinate? {
    let latitude = try number("lat", in: -90...90)
    let longitude = try number("lon", in: -180...180)
    guard let latitude, let longitude else {
      guard latitude == nil, longitude == nil else {
        throw MessageError("it is missing", at: latitude == nil ? "lat" : "lon")
      }
      return nil
    }
    return Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  /// A required member.
  static func require<Value>(_ value: Value?, _ name: String) throws(MessageError) -> Value {
    guard let value else { throw MessageError("it is missing", at: name) }
    return value
  }
}

extension JSONWriter {
  /// Whole seconds since 1970, rounded down.
  mutating func field(_ name: StaticString, unixTime time: UTCInstant?) {
    field(name, ifKnown: time?.wholeSeconds)
  }

  /// Omits a value that is nil or not finite.
  mutating func field(_ name: StaticString, ifNumber value: Double?, digits: Int) {
    guard let value, value.isFinite else { return }
    field(name, value, digits: digits)
  }

  /// With seven decimals, a centimetre, the same at every attempt: receivers recognize duplicates
  /// by them.
  mutating func position(_ position: Coordinate) {
    field("lat", position.latitude.value, digits: 7)
    field("lon", position.longitude.value, digits: 7)
  }
}
