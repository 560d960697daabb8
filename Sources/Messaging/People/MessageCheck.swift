import Core

/// Checks the limits of the parts that messages have in common.
public enum MessageCheck {
  /// Godwit did not exist before: an earlier date comes from an unset clock, such as that of a
  /// board that boots in 1970.
  public static let firstDate = UTCInstant(seconds: 1_577_836_800)

  /// Nil for a date that only an unset clock can have given.
  public static func plausible(_ date: UTCInstant?) -> UTCInstant? {
    date.flatMap { $0 >= firstDate ? toMillisecond($0) : nil }
  }

  /// Rounded as in messages, so that a value read equals the value written.
  static func toMillisecond(_ date: UTCInstant) -> UTCInstant {
    let rest = date.nanoseconds % 1_000_000
    return UTCInstant(nanoseconds: date.nanoseconds - (rest < 0 ? rest + 1_000_000 : rest))
  }

  /// Checks a name: a single line.
  static func name(_ text: String, atMost most: Int, at path: String) throws(MessageError) {
    try length(text, atMost: most, at: path)
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw MessageError("it is empty: write a name", at: path)
    }
    guard !TerminalText.hasControlCharacter(text) else {
      throw MessageError("it has a line break or another control character: remove it", at: path)
    }
  }

  /// Checks a text of any number of lines.
  static func text(_ text: String, atMost most: Int, at path: String) throws(MessageError) {
    try length(text, atMost: most, at: path)
    let isClean = text.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control || $0 == "\n" || $0 == "\t"
    }
    guard isClean else {
      throw MessageError("it has a control character other than a line break: remove it", at: path)
    }
  }

  private static func length(_ text: String, atMost most: Int, at path: String)
    throws(MessageError)
  {
    guard text.utf8.count <= most else {
      throw MessageError("\(text.utf8.count) bytes: shorten it to at most \(most)", at: path)
    }
  }

  /// Checks a list of people: each once.
  static func people(
    _ people: [PersonAddress], _ counts: ClosedRange<Int>, at path: String
  ) throws(MessageError) {
    guard people.count >= counts.lowerBound else {
      throw MessageError("it is empty: name at least one person", at: path)
    }
    guard people.count <= counts.upperBound else {
      let found = Counted.text(people.count, "person", "people")
      throw MessageError("\(found): keep at most \(counts.upperBound)", at: path)
    }
    var known: Set<PersonAddress> = []
    for (index, person) in people.enumerated() where !known.insert(person).inserted {
      throw MessageError(
        "\(person) is listed twice: remove one of the two", at: "\(path)[\(index)]")
    }
  }

  /// Checks a position: in range, and not 0, 0.
  static func position(_ position: Coordinate, at path: String) throws(MessageError) {
    let (latitude, longitude) = (position.latitude.value, position.longitude.value)
    guard Coordinate(checkedLatitude: latitude, longitude: longitude) != nil else {
      throw MessageError(
        "\(latitude), \(longitude) is not a position: use a latitude of -90 to 90 and a longitude "
          + "of -180 to 180", at: path)
    }
    guard !position.isNullIsland else {
      throw MessageError(
        "0, 0 is what receivers report without a fix: use the actual position", at: path)
    }
  }

  /// The schedule of a group or a meeting, as every board reads it.
  static func schedule(
    _ schedule: Schedule?, at path: String
  ) throws(MessageError) -> Schedule? {
    guard let schedule else { return nil }
    let complete: Schedule
    do { complete = try schedule.lasting().withZoneRules() } catch {
      throw MessageError("it \(error)", at: path)
    }
    let text = complete.calendar
    try length(text, atMost: MessagingLimits.schedule, at: path)
    // To count from the start takes milliseconds for every message that is kept.
    guard !text.contains(";COUNT=") else {
      throw MessageError("its rule has COUNT: give UNTIL, or an end, instead", at: path)
    }
    return complete
  }

  static func quantity<Value: Quantity>(
    _ value: Value, _ range: ClosedRange<Value>, _ noun: String, at path: String
  ) throws(MessageError) {
    guard range.contains(value) else {
      throw MessageError(
        "\(value) is not a valid \(noun): use \(range.lowerBound) to \(range.upperBound)", at: path)
    }
  }

  /// With 7 decimals, a centimetre, as messages write it.
  static func rounded(_ position: Coordinate) -> Coordinate {
    Coordinate(
      latitude: rounded(position.latitude, digits: 7),
      longitude: rounded(position.longitude, digits: 7))
  }

  /// With so many decimals (0...9), as messages write it; unchanged where it is no number.
  static func rounded<Value: Quantity>(_ value: Value, digits: Int) -> Value {
    guard value.isFinite else { return value }
    return Value(Double(FixedDecimal.text(value.value, digits: digits)) ?? value.value)
  }
}
