import Core

/// Reads the track points of GPX 1.0 and 1.1, and those of Garmin's TCX. Waypoints and routes are
/// plans and are skipped, and so are points of TCX with a heart rate alone.
///
/// An invalid track point is skipped and counted; one without a time is invalid, because a trace is
/// useless without its times. An unreadable height, accuracy or speed is dropped alone. Anything
/// but XML is an error, but of a truncated file everything before the cut is kept.
///
/// A point's values are its own elements. Elements of the same name may occur in anyone's
/// extensions: of those only Garmin's speed and Godwit's own are read.
struct GPXTraceReader: Sendable {
  private enum Element: Sendable {
    case track, trackName, point, time, altitude, speed, hdop, accuracy, fix, extensions
    case place, latitude, longitude
    case garminExtension, other

    /// Whether its text is read.
    var hasText: Bool {
      switch self {
      case .trackName, .time, .altitude, .speed, .hdop, .accuracy, .fix, .latitude, .longitude:
        true
      case .track, .point, .extensions, .place, .garminExtension, .other: false
      }
    }
  }

  /// Depth of nested elements: GPX itself needs 5, extensions a few more.
  private static let maxDepth = 64

  /// The names of corresponding elements in the two formats.
  struct Names: Sendable {
    let root: StaticString
    let point: StaticString
    let time: StaticString
    let altitude: StaticString
    /// Whether every point has a position.
    let hasPlaces: Bool

    static let gpx = Names(
      root: "gpx", point: "trkpt", time: "time", altitude: "ele", hasPlaces: true)
    static let tcx = Names(
      root: "TrainingCenterDatabase", point: "Trackpoint", time: "Time",
      altitude: "AltitudeMeters", hasPlaces: false)
  }

  private let names: Names
  private var scanner = XMLScanner()
  private var path: [Element] = []
  private var point: Point?
  private var text: [UInt8] = []
  private var seesGPX = false
  private(set) var losses = TraceLosses()
  private var tracks = TraceIndividuals(.tracks)
  private var track: UInt16?

  var individuals: TraceIndividuals? { tracks }

  init(_ names: Names) { self.names = names }

  /// A track point that is being read.
  private struct Point {
    let line: Int
    let name: StaticString
    var latitude: Double?
    var longitude: Double?
    /// Whether it has the element of a position.
    var hasPlace: Bool
    /// Its first fault.
    var fault: TraceError?
    /// The first unreadable value of those that are optional for a position.
    var valueFault: TraceError?
    var namesZone = true
    var time: UTCInstant?
    var altitude: Metres?
    var accuracy: Metres?
    var hdop: Double?
    var speed: MetresPerSecond?

    func sample() throws(TraceError) -> TraceSample {
      if let fault { throw fault }
      guard let latitude, let longitude,
        let position = Coordinate(checkedLatitude: latitude, longitude: longitude)
      else {
        throw TraceError(line: line, "the <\(name)> has no lat and lon in range")
      }
      guard let time else {
        throw TraceError(
          line: line, "the <\(name)> has no <time>; a planned route is not a recorded trace")
      }
      return TraceSample(
        time: time, position: position, altitude: altitude,
        accuracy: accuracy ?? hdop.map { Metres($0 * TraceSample.metresPerHDOP) }, speed: speed)
    }
  }

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into rows: inout [TraceRow]
  ) throws(TraceError) {
    scanner.append(bytes)
    while let token = try scanner.next() {
      switch token {
      case .start(let name, let attributes, let isEmpty):
        try open(name, attributes)
        if isEmpty { try close(name, into: &rows) }
      case .end(let name): try close(name, into: &rows)
      case .text(let range, let isLiteral):
        guard let element = path.last, element.hasText else { continue }
        // Entities in a track's name need not be decoded.
        if isLiteral || element == .trackName {
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
      throw losses.cut
        ?? TraceError(line: 1, "no <\(names.root)> element; check that this is a GPX file")
    }
    if losses.cut == nil, !path.isEmpty {
      losses.cut = fault("the file ends before </\(names.root)>; check that it is complete")
    }
  }

  private mutating func open(_ name: Range<Int>, _ attributes: Range<Int>) throws(TraceError) {
    guard path.count < Self.maxDepth else { throw fault("elements nested too deeply") }
    if !seesGPX {
      guard scanner.isName(name, names.root) else {
        throw fault("the first element is not <\(names.root)>; check that this is a GPX file")
      }
      seesGPX = true
    }
    let element = kind(name)
    path.append(element)
    text.removeAll(keepingCapacity: true)
    if element == .point { point = try startPoint(attributes) }
    if element == .track { track = tracks.add("track \(tracks.names.count + 1)") }
  }

  /// By its name and its parent element.
  private func kind(_ name: Range<Int>) -> Element {
    if scanner.isName(name, names.point) { return .point }
    guard point != nil else {
      if scanner.isName(name, "trk") { return .track }
      return path.last == .track && scanner.isName(name, "name") ? .trackName : .other
    }
    switch path.last {
    case .point: return ownKind(name)
    case .extensions:
      if scanner.isName(name, "speed_m_s") { return .speed }
      if scanner.isName(name, "accuracy_m") { return .accuracy }
      return scanner.isName(name, "TrackPointExtension") ? .garminExtension : .other
    case .garminExtension: return scanner.isName(name, "speed") ? .speed : .other
    case .place:
      if scanner.isName(name, "LatitudeDegrees") { return .latitude }
      return scanner.isName(name, "LongitudeDegrees") ? .longitude : .other
    default: return .other
    }
  }

  private func ownKind(_ name: Range<Int>) -> Element {
    if scanner.isName(name, names.time) { return .time }
    if scanner.isName(name, names.altitude) { return .altitude }
    if scanner.isName(name, "Position") { return .place }
    if scanner.isName(name, "speed") { return .speed }
    if scanner.isName(name, "hdop") { return .hdop }
    if scanner.isName(name, "fix") { return .fix }
    return scanner.isName(name, "extensions") ? .extensions : .other
  }

  private func startPoint(_ attributes: Range<Int>) throws(TraceError) -> Point {
    guard point == nil else { throw fault("a <\(names.point)> within a <\(names.point)>") }
    var latitude: Double?
    var longitude: Double?
    try scanner.attributes(attributes) { (name, value) throws(TraceError) in
      let number = scanner.bytes[value].withUnsafeBufferPointer { DecimalText.number($0) }
      if scanner.isName(name, "lat") { latitude = number }
      if scanner.isName(name, "lon") { longitude = number }
    }
    return Point(
      line: scanner.line, name: names.point, latitude: latitude, longitude: longitude,
      hasPlace: names.hasPlaces)
  }

  private mutating func close(
    _ name: Range<Int>, into rows: inout [TraceRow]
  ) throws(TraceError) {
    guard let element = path.popLast() else { throw fault("an end tag without its start") }
    guard element == kind(name) else { throw fault("an end tag that does not match its start") }
    switch element {
    case .extensions, .garminExtension, .other: break
    case .place: point?.hasPlace = true
    case .latitude:
      let value = trimmedText { DecimalText.number($0) }
      point?.latitude = value
    case .longitude:
      let value = trimmedText { DecimalText.number($0) }
      point?.longitude = value
    case .track: track = nil
    case .trackName: if let track { tracks.rename(track, to: trimmedText(Array.init)) }
    case .point: closePoint(into: &rows)
    case .time: closeTime()
    case .altitude:
      let value = number(names.altitude)
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
    case .fix:
      if trimmedText({ $0.elementsEqual("none".utf8) }) {
        spoil("the <fix> is \"none\": the receiver had no position")
      }
    }
  }

  private mutating func closeTime() {
    let time = trimmedText { ISO8601.parse($0) }
    let namesZone = trimmedText { ISO8601.namesZone($0) }
    point?.time = time
    point?.namesZone = namesZone
    if time == nil { spoil("the <\(names.time)> is not a time; write 2026-05-01T12:34:56Z") }
  }

  private mutating func closePoint(into rows: inout [TraceRow]) {
    guard let point else { return }
    self.point = nil
    guard point.hasPlace else { return }
    do throws(TraceError) {
      rows.append(TraceRow(try point.sample(), line: point.line, individual: track))
      if let fault = point.valueFault { losses.leaveOut(value: fault) }
      losses.note(namesZone: point.namesZone, at: point.line)
    } catch {
      losses.skip(over: error)
    }
  }

  private mutating func spoil(_ reason: String) {
    guard point != nil, point?.fault == nil else { return }
    let fault = fault(reason)
    point?.fault = fault
  }

  private mutating func number(_ name: StaticString) -> Double? {
    let value = trimmedText { DecimalText.number($0) }
    if value == nil, point?.valueFault == nil {
      let fault = fault("the <\(name)> is not a number")
      point?.valueFault = fault
    }
    return value
  }

  /// Phones write -1 for unknown values.
  private mutating func positive(_ name: StaticString) -> Double? {
    number(name).flatMap { $0 >= 0 ? $0 : nil }
  }

  private func trimmedText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    text.withUnsafeBufferPointer { body(Self.trimmed($0)) }
  }

  private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var slice = text[...]
    while let first = slice.first, first <= 0x20 { slice = slice.dropFirst() }
    while let last = slice.last, last <= 0x20 { slice = slice.dropLast() }
    return UnsafeBufferPointer(rebasing: slice)
  }

  private func fault(_ reason: String) -> TraceError { TraceError(line: scanner.line, reason) }
}
