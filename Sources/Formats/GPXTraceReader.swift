import Notation
import Quantities

/// Reads the track points of GPX 1.0 and 1.1. Waypoints and routes are plans and are skipped; a
/// track point without a time is an error, because a trace is nothing without its times.
struct GPXTraceReader: Sendable {
  private enum Element: Sendable { case point, time, altitude, speed, hdop, accuracy, other }

  /// Elements within elements: GPX itself needs 5, extensions some more.
  private static let deepest = 64

  private var scanner = XMLScanner()
  private var path: [Element] = []
  private var point: Point?
  private var text: [UInt8] = []
  private var seesGPX = false

  /// A track point that is being read.
  private struct Point {
    let line: Int
    let place: Coordinate
    var time: UTCInstant?
    var altitude: Metres?
    var accuracy: Metres?
    var hdop: Double?
    var speed: MetresPerSecond?

    func sample() throws(TraceError) -> TraceSample {
      guard let time else {
        throw TraceError(
          line: line, "the <trkpt> has no <time>; a planned route is no recorded trace")
      }
      return TraceSample(
        time: time, place: place, altitude: altitude,
        accuracy: accuracy ?? hdop.map { Metres($0 * TraceSample.metresPerHDOP) }, speed: speed)
    }
  }

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into samples: inout [TraceSample]
  ) throws(TraceError) {
    scanner.append(bytes)
    while let token = try scanner.next() {
      switch token {
      case .start(let name, let attributes, let isEmpty):
        try open(name, attributes)
        if isEmpty { try close(name, into: &samples) }
      case .end(let name): try close(name, into: &samples)
      case .text(let range, let isLiteral):
        guard let element = path.last, element != .other, element != .point else { continue }
        if isLiteral {
          text.append(contentsOf: scanner.bytes[range])
        } else {
          try scanner.appendText(range, to: &text)
        }
      }
    }
  }

  func finish() throws(TraceError) {
    var scanner = scanner
    try scanner.finish()
    guard seesGPX else { throw TraceError(line: 1, "no <gpx> element; is this a GPX file?") }
    guard path.isEmpty else {
      throw TraceError(line: scanner.line, "the file ends before </gpx>; is it complete?")
    }
  }

  private mutating func open(_ name: Range<Int>, _ attributes: Range<Int>) throws(TraceError) {
    guard path.count < Self.deepest else { throw fault("elements nested too deeply") }
    if !seesGPX {
      guard scanner.isName(name, "gpx") else {
        throw fault("the first element is not <gpx>; is this a GPX file?")
      }
      seesGPX = true
    }
    let element = kind(name)
    path.append(element)
    text.removeAll(keepingCapacity: true)
    if element == .point { point = try startPoint(attributes) }
  }

  private func kind(_ name: Range<Int>) -> Element {
    if scanner.isName(name, "trkpt") { return .point }
    guard point != nil else { return .other }
    if scanner.isName(name, "time") { return .time }
    if scanner.isName(name, "ele") { return .altitude }
    if scanner.isName(name, "speed") || scanner.isName(name, "speed_m_s") { return .speed }
    if scanner.isName(name, "hdop") { return .hdop }
    if scanner.isName(name, "accuracy_m") { return .accuracy }
    return .other
  }

  private func startPoint(_ attributes: Range<Int>) throws(TraceError) -> Point {
    guard point == nil else { throw fault("a <trkpt> within a <trkpt>") }
    var latitude: Double?
    var longitude: Double?
    try scanner.attributes(attributes) { (name, value) throws(TraceError) in
      let number = scanner.bytes[value].withUnsafeBufferPointer { DecimalText.number($0) }
      if scanner.isName(name, "lat") { latitude = number }
      if scanner.isName(name, "lon") { longitude = number }
    }
    guard let latitude, let longitude,
      let place = Coordinate(checkedLatitude: latitude, longitude: longitude)
    else { throw fault("the <trkpt> has no lat and lon in range") }
    return Point(line: scanner.line, place: place)
  }

  private mutating func close(
    _ name: Range<Int>, into samples: inout [TraceSample]
  ) throws(TraceError) {
    guard let element = path.popLast() else { throw fault("an end tag without its start") }
    guard element == kind(name) else { throw fault("an end tag that does not fit its start") }
    switch element {
    case .other: break
    case .point:
      if let point { samples.append(try point.sample()) }
      point = nil
    case .time:
      point?.time = text.withUnsafeBufferPointer { ISO8601.parse(Self.trimmed($0)) }
      if point?.time == nil { throw fault("the <time> is none; write 2026-05-01T12:34:56Z") }
    case .altitude:
      let value = try number("ele")
      point?.altitude = Metres(value)
    case .speed:
      let value = try positive("speed")
      point?.speed = value.map { MetresPerSecond($0) }
    case .hdop:
      let value = try positive("hdop")
      point?.hdop = value
    case .accuracy:
      let value = try positive("accuracy_m")
      point?.accuracy = value.map { Metres($0) }
    }
  }

  private func number(_ name: String) throws(TraceError) -> Double {
    let value = text.withUnsafeBufferPointer { DecimalText.number(Self.trimmed($0)) }
    guard let value else { throw fault("the <\(name)> is no number") }
    return value
  }

  /// Phones write -1 for what they do not know.
  private func positive(_ name: String) throws(TraceError) -> Double? {
    let value = try number(name)
    return value >= 0 ? value : nil
  }

  private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var slice = text[...]
    while let first = slice.first, first <= 0x20 { slice = slice.dropFirst() }
    while let last = slice.last, last <= 0x20 { slice = slice.dropLast() }
    return UnsafeBufferPointer(rebasing: slice)
  }

  private func fault(_ reason: String) -> TraceError { TraceError(line: scanner.line, reason) }
}
