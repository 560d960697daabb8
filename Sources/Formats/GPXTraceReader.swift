import Notation
import Quantities

/// Reads the track points of GPX 1.0 and 1.1. Waypoints and routes are plans and are skipped.
///
/// A track point that makes no sense is skipped and counted; one without a time is such a point,
/// because a trace is useless without its times. Anything but XML is an error, but of a file that
/// was cut off everything before the cut is kept.
struct GPXTraceReader: Sendable {
  private enum Element: Sendable { case point, time, altitude, speed, hdop, accuracy, other }

  /// Depth of nested elements: GPX itself needs 5, extensions a few more.
  private static let maxDepth = 64

  private var scanner = XMLScanner()
  private var path: [Element] = []
  private var point: Point?
  private var text: [UInt8] = []
  private var seesGPX = false
  private(set) var losses = TraceLosses()

  /// A track point that is being read.
  private struct Point {
    let line: Int
    /// Nil where it is not on Earth.
    let position: Coordinate?
    /// The first thing that is wrong with it.
    var fault: TraceError?
    var time: UTCInstant?
    var altitude: Metres?
    var accuracy: Metres?
    var hdop: Double?
    var speed: MetresPerSecond?

    func sample() throws(TraceError) -> TraceSample {
      if let fault { throw fault }
      guard let position else {
        throw TraceError(line: line, "the <trkpt> has no lat and lon in range")
      }
      guard let time else {
        throw TraceError(
          line: line, "the <trkpt> has no <time>; a planned route is not a recorded trace")
      }
      return TraceSample(
        time: time, position: position, altitude: altitude,
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

  mutating func finish() throws(TraceError) {
    losses.cut = scanner.cut()
    guard seesGPX else {
      throw losses.cut ?? TraceError(line: 1, "no <gpx> element; is this a GPX file?")
    }
    if losses.cut == nil, !path.isEmpty {
      losses.cut = fault("the file ends before </gpx>; is it complete?")
    }
  }

  private mutating func open(_ name: Range<Int>, _ attributes: Range<Int>) throws(TraceError) {
    guard path.count < Self.maxDepth else { throw fault("elements nested too deeply") }
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
    var position: Coordinate?
    if let latitude, let longitude {
      position = Coordinate(checkedLatitude: latitude, longitude: longitude)
    }
    return Point(line: scanner.line, position: position)
  }

  private mutating func close(
    _ name: Range<Int>, into samples: inout [TraceSample]
  ) throws(TraceError) {
    guard let element = path.popLast() else { throw fault("an end tag without its start") }
    guard element == kind(name) else { throw fault("an end tag that does not fit its start") }
    switch element {
    case .other: break
    case .point: closePoint(into: &samples)
    case .time:
      point?.time = text.withUnsafeBufferPointer { ISO8601.parse(Self.trimmed($0)) }
      if point?.time == nil { spoil("the <time> is not a time; write 2026-05-01T12:34:56Z") }
    case .altitude:
      let value = number("ele")
      point?.altitude = value.map(Metres.init)
    case .speed:
      let value = positive("speed")
      point?.speed = value.map(MetresPerSecond.init)
    case .hdop:
      let value = positive("hdop")
      point?.hdop = value
    case .accuracy:
      let value = positive("accuracy_m")
      point?.accuracy = value.map(Metres.init)
    }
  }

  private mutating func closePoint(into samples: inout [TraceSample]) {
    guard let point else { return }
    self.point = nil
    do throws(TraceError) {
      samples.append(try point.sample())
    } catch {
      losses.pass(over: error)
    }
  }

  private mutating func spoil(_ reason: String) {
    guard point != nil, point?.fault == nil else { return }
    let fault = fault(reason)
    point?.fault = fault
  }

  private mutating func number(_ name: String) -> Double? {
    let value = text.withUnsafeBufferPointer { DecimalText.number(Self.trimmed($0)) }
    if value == nil { spoil("the <\(name)> is not a number") }
    return value
  }

  /// Phones write -1 for unknown values.
  private mutating func positive(_ name: String) -> Double? {
    number(name).flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var slice = text[...]
    while let first = slice.first, first <= 0x20 { slice = slice.dropFirst() }
    while let last = slice.last, last <= 0x20 { slice = slice.dropLast() }
    return UnsafeBufferPointer(rebasing: slice)
  }

  private func fault(_ reason: String) -> TraceError { TraceError(line: scanner.line, reason) }
}
