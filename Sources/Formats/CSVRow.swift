import Core

/// One line of a table.
struct CSVRow {
  private let number: Int
  private var fields: CSVFields
  private(set) var individual: UnsafeBufferPointer<UInt8>?
  /// Whether the file itself marks the position as wrong.
  private(set) var isMarkedInvalid = false
  /// The offset of its time from UTC, from a separate column.
  private var offset: UnsafeBufferPointer<UInt8>?
  private var half: UnsafeBufferPointer<UInt8>?
  private(set) var namesZone = true
  /// Whether this or an earlier row has a time of five or six digits. With fewer digits alone, it
  /// may be hours and minutes.
  private(set) var hasSeconds: Bool
  /// The first unreadable value of those that are optional for a position.
  private(set) var valueFault: TraceError?

  init(_ line: UnsafeBufferPointer<UInt8>, _ number: Int, hasSeconds: Bool) {
    fields = CSVFields(line)
    self.number = number
    self.hasSeconds = hasSeconds
  }

  mutating func sample(_ header: CSVHeader) throws(TraceError) -> TraceSample? {
    var time: UnsafeBufferPointer<UInt8>?
    var date: UnsafeBufferPointer<UInt8>?
    var latitude: Double?
    var longitude: Double?
    var altitude: Metres?
    var accuracy: Metres?
    var speed: MetresPerSecond?
    let comma = header.separator != UInt8(ascii: ",")
    var isSouth = false
    var isWest = false
    for column in header.columns {
      let field = fields.next(header.separator)
      guard let column, !field.isEmpty else { continue }
      switch column {
      case .time: time = field
      case .date: date = field
      case .latitude: latitude = try degrees(field, "latitude", comma)
      case .longitude: longitude = try degrees(field, "longitude", comma)
      case .altitude: altitude = try value(field, "altitude", comma).map(Metres.init)
      // Phones write -1 for an unknown accuracy or speed.
      case .accuracy: accuracy = try positive(field, "accuracy", comma).map(Metres.init) ?? accuracy
      case .hdop:
        let hdop = try positive(field, "hdop", comma)
        accuracy = accuracy ?? hdop.map { Metres($0 * TraceSample.metresPerHDOP) }
      case .speed:
        speed = try positive(field, "speed", comma).map { MetresPerSecond($0 * header.speedUnit) }
      case .individual: individual = field
      case .northSouth: isSouth = try isNegative(field, "north", "south")
      case .eastWest: isWest = try isNegative(field, "east", "west")
      case .offset: offset = field
      case .half: half = field
      case .valid:
        isMarkedInvalid = try !answer(field, CSVFields.validity(field)) || isMarkedInvalid
      case .outlier: isMarkedInvalid = try answer(field, CSVFields.flag(field)) || isMarkedInvalid
      }
    }
    try refuseWider(than: header)
    var moment: UTCInstant?
    if let time = time ?? date { moment = try self.moment(time, date, header) }
    if isSouth { latitude = latitude.map { -$0.magnitude } }
    if isWest { longitude = longitude.map { -$0.magnitude } }
    if latitude == nil, longitude == nil { return nil }
    guard let moment else { throw error("the time is missing") }
    guard let latitude, let longitude else { throw error("the latitude or longitude is missing") }
    guard let position = Coordinate(checkedLatitude: latitude, longitude: longitude) else {
      throw error("\(latitude), \(longitude) is not a position: latitude ±90, longitude ±180")
    }
    return TraceSample(
      time: moment, position: position, altitude: altitude, accuracy: accuracy, speed: speed)
  }

  /// Trailing separators alone make no columns.
  private mutating func refuseWider(than header: CSVHeader) throws(TraceError) {
    var count = header.columns.count
    while !fields.isAtEnd {
      count += 1
      guard fields.next(header.separator).isEmpty || count <= header.width else {
        throw error("more columns than the header has (\(header.width)): decimal commas?")
      }
    }
  }

  private func isNegative(
    _ field: UnsafeBufferPointer<UInt8>, _ positive: String, _ negative: String
  ) throws(TraceError) -> Bool {
    guard let isNegative = CSVFields.isNegative(field, positive, negative) else {
      throw error("\"\(CSVFields.text(field))\" is neither \(positive) nor \(negative)")
    }
    return isNegative
  }

  private func answer(
    _ field: UnsafeBufferPointer<UInt8>, _ answer: Bool?
  ) throws(TraceError) -> Bool {
    guard let answer else {
      throw error(
        "\"\(CSVFields.text(field))\" does not show whether the position is valid; write true or "
          + "false")
    }
    return answer
  }

  // MARK: Times

  /// - Parameter date: from a separate column; it is used if the time is a time of day alone.
  private mutating func moment(
    _ time: UnsafeBufferPointer<UInt8>, _ date: UnsafeBufferPointer<UInt8>?, _ header: CSVHeader
  ) throws(TraceError) -> UTCInstant {
    guard let date, !CSVFields.beginsWithDate(time), let clock = CSVFields.clock(time) else {
      return try moment(time, isGPS: header.hasGPSTime)
    }
    if let digits = CSVFields.digitsOfClock(time) {
      hasSeconds = hasSeconds || digits > 4
      guard hasSeconds else {
        throw error(
          "\"\(CSVFields.text(time))\" may be hours and minutes, or hours, minutes and seconds; "
            + "write 12:34:56")
      }
    }
    let joined = CSVFields.day(date, isShort: header.hasShortDates) + [UInt8(ascii: "T")] + clock
    guard let moment = try self.time(joined) else {
      throw error(
        "\"\(CSVFields.text(date))\" with \"\(CSVFields.text(time))\" is not a time; write "
          + "2026-05-01 with 12:34:56")
    }
    return moment
  }

  private mutating func moment(
    _ field: UnsafeBufferPointer<UInt8>, isGPS: Bool
  ) throws(TraceError) -> UTCInstant {
    guard !isGPS || DecimalText.number(field) == nil else {
      throw error(
        "\"\(CSVFields.text(field))\" in a column of GPS time may count from 1980 or from 1970: "
          + "write 2026-05-01T12:34:56Z, or name the column unixtime if it is Unix time")
    }
    let isAlone = half == nil && offset == nil
    if isAlone { namesZone = Self.needsNoZone(field) }
    guard let time = try isAlone ? CSVFields.time(field) : self.time(Array(field)) else {
      throw error(
        "\"\(CSVFields.text(field))\" is not a time; write 2026-05-01T12:34:56Z or seconds since "
          + "1970")
    }
    return time
  }

  private static func needsNoZone(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    !CSVFields.beginsWithDate(field) || ISO8601.namesZone(field)
  }

  /// With morning or afternoon, and the zone, from separate columns.
  private mutating func time(_ text: [UInt8]) throws(TraceError) -> UTCInstant? {
    var bytes = text
    namesZone = bytes.withUnsafeBufferPointer { Self.needsNoZone($0) }
    if let half {
      guard let whole = bytes.withUnsafeBufferPointer({ CSVFields.time($0, half: half) }) else {
        throw error(
          "\"\(text.withUnsafeBufferPointer { CSVFields.text($0) })\" with "
            + "\"\(CSVFields.text(half))\" is not a time of the 12-hour clock; write 12:34:56 and "
            + "AM or PM"
        )
      }
      bytes = whole
    }
    if let offset, !namesZone {
      guard let zone = CSVFields.zone(offset) else {
        throw error(
          "\"\(CSVFields.text(offset))\" is not an offset from UTC; write "
            + "+02:00")
      }
      bytes += zone
      namesZone = true
    }
    return bytes.withUnsafeBufferPointer { CSVFields.time($0) }
  }

  // MARK: Numbers

  private func degrees(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String, _ comma: Bool
  ) throws(TraceError) -> Double {
    let (number, isNegative) = CSVFields.withoutHemisphere(field)
    guard let degrees = DecimalText.number(number, allowingComma: comma) else {
      throw notNumber(field, name)
    }
    return isNegative ? -degrees.magnitude : degrees
  }

  /// A field of several lines has swallowed the rows after it because of a stray quote.
  private mutating func value(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String, _ comma: Bool
  ) throws(TraceError) -> Double? {
    let number = DecimalText.number(field, allowingComma: comma)
    guard number != nil || !field.contains(0x0A) else { throw notNumber(field, name) }
    if number == nil { valueFault = valueFault ?? notNumber(field, name) }
    return number
  }

  private mutating func positive(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String, _ comma: Bool
  ) throws(TraceError) -> Double? {
    try value(field, name, comma).flatMap { $0 >= 0 ? $0 : nil }
  }

  private func notNumber(_ field: UnsafeBufferPointer<UInt8>, _ name: String) -> TraceError {
    error("\"\(CSVFields.text(field))\" is not a number for the \(name)")
  }

  private func error(_ reason: String) -> TraceError { TraceError(line: number, reason) }
}
