import Core

/// The positions of one item of a JSON file, in any of the known formats.
struct JSONTraceItem {
  private let line: Int
  private(set) var samples: [TraceSample] = []
  /// Faults of unusable positions.
  private(set) var faults: [TraceError] = []
  /// Fault of a value that is optional for a position.
  private(set) var valueFault: TraceError?
  /// Whether any of its times has no zone, and whether any has one.
  private(set) var lacksZone = false
  private(set) var namesZone = false
  /// The individual of its positions, if given, and how a file keeps individuals apart.
  private(set) var individual: (name: String, kind: TraceIndividuals.Kind)?
  /// Whether it gives its start and end.
  private(set) var hasSpan = false
  /// Stays and destinations from an export of this program.
  private(set) var places = 0

  private static let kilometresPerHour = 1 / 3.6

  /// The kinds that `GeoJSONExporter` writes in addition to the track.
  private static let placeKinds = ["visit", "destination"]

  /// For a path without an end time.
  private static let longestPath: Seconds = .days(7)

  init(line: Int) { self.line = line }

  mutating func read(_ item: JSONValue) {
    if let type = item["_type"] {
      if type.string == "location" { readOwnTracks(item) }
      if type.string == "encrypted" { refuse("it is encrypted: export it without a key") }
    } else if let geometry = item["geometry"] {
      readFeature(item, geometry)
    } else if item["latitudeE7"] != nil {
      add(
        at: Self.e7(item, "latitudeE7", "longitudeE7"),
        time: item["timestamp"] ?? item["timestampMs"],
        altitude: item["altitude"], accuracy: item["accuracy"], speed: item["velocity"])
      // A person has several phones, one after the other.
      individual = item["deviceTag"].flatMap(TraceIndividuals.name).map { ($0, .tracks) }
    } else if let visit = item["placeVisit"] {
      readTimeline(visit, from: visit["location"], to: visit["location"])
    } else if let segment = item["activitySegment"] {
      readTimeline(segment, from: segment["startLocation"], to: segment["endLocation"])
    } else if let position = item["position"], position["LatLng"] != nil {
      add(
        at: Self.degrees(position["LatLng"]), time: position["timestamp"],
        altitude: position["altitudeMeters"], accuracy: position["accuracyMeters"],
        speed: position["speedMetersPerSecond"])
    } else if item["startTime"] != nil {
      readSegment(item)
    }
  }

  // MARK: Formats

  private mutating func readOwnTracks(_ item: JSONValue) {
    if let name = item["topic"]?.string ?? item["tid"]?.string { individual = (name, .named) }
    add(
      at: Self.pair(item["lat"], item["lon"]), time: item["tst"], altitude: item["alt"],
      accuracy: item["acc"], speed: item["vel"], speedUnit: Self.kilometresPerHour)
  }

  /// A point, or lines with a time for each corner.
  private mutating func readFeature(_ item: JSONValue, _ geometry: JSONValue) {
    // It is declared to have no position.
    guard geometry != .null else { return }
    if let fault = CoordinateSystem.fault(ofGeoJSON: item) { return refuse(fault) }
    let properties = item["properties"] ?? .null
    individual = TraceIndividuals.find(in: properties)
    let coordinates = geometry["coordinates"]?.array ?? []
    let times =
      (properties["coordTimes"] ?? properties["coordinateProperties"]?["times"])?.array ?? []
    switch geometry["type"]?.string {
    case "Point"?: readPoint(coordinates, properties, times)
    case "LineString"?: addLine(coordinates, times)
    case "MultiLineString"?:
      guard times.count == coordinates.count else { return refuse(Self.lackOfTimes) }
      for (line, times) in zip(coordinates, times) {
        addLine(line.array ?? [], times.array ?? [])
      }
    default:
      if Self.isPlace(properties) { return places += 1 }
      refuse(
        "a geometry \(Self.shown(geometry["type"])), which is neither a position nor a line of "
          + "them: write points or lines with their times")
    }
  }

  private static let lackOfTimes = "a line without a time for each of its positions (coordTimes)"

  private static func isPlace(_ properties: JSONValue) -> Bool {
    properties["kind"]?.string.map { placeKinds.contains($0) } ?? false
  }

  private mutating func readPoint(
    _ coordinates: [JSONValue], _ properties: JSONValue, _ times: [JSONValue]
  ) {
    let time =
      ["timestamp", "time", "datetime", "date"].lazy.compactMap { properties[$0] }.first
      ?? times.first
    if time == nil, Self.isPlace(properties) { return places += 1 }
    add(
      at: Self.corner(coordinates), time: time,
      altitude: properties["altitude"] ?? (coordinates.count > 2 ? coordinates[2] : nil),
      accuracy: properties["horizontal_accuracy"] ?? properties["accuracy"],
      speed: properties["speed"])
  }

  private mutating func addLine(_ corners: [JSONValue], _ times: [JSONValue]) {
    guard times.count == corners.count else { return refuse(Self.lackOfTimes) }
    for (corner, time) in zip(corners, times) {
      let numbers = corner.array ?? []
      add(at: Self.corner(numbers), time: time, altitude: numbers.count > 2 ? numbers[2] : nil)
    }
  }

  /// Google's semantic history until 2024: a visit or a journey, with the positions measured on the
  /// way.
  private mutating func readTimeline(_ item: JSONValue, from: JSONValue?, to: JSONValue?) {
    let duration = item["duration"]
    noteSpan(
      from: duration?["startTimestamp"] ?? duration?["startTimestampMs"],
      to: duration?["endTimestamp"] ?? duration?["endTimestampMs"])
    if let from, from["latitudeE7"] != nil {
      add(
        at: Self.e7(from, "latitudeE7", "longitudeE7"),
        time: duration?["startTimestamp"] ?? duration?["startTimestampMs"])
    }
    for point in item["simplifiedRawPath"]?["points"]?.array ?? [] {
      add(
        at: Self.e7(point, "latE7", "lngE7"), time: point["timestamp"] ?? point["timestampMs"],
        accuracy: point["accuracyMeters"])
    }
    if let to, to["latitudeE7"] != nil {
      add(
        at: Self.e7(to, "latitudeE7", "longitudeE7"),
        time: duration?["endTimestamp"] ?? duration?["endTimestampMs"])
    }
  }

  /// Google's history on the phone: a visit, a journey, or a path.
  private mutating func readSegment(_ item: JSONValue) {
    let start = item["startTime"]
    let end = item["endTime"]
    noteSpan(from: start, to: end)
    let length = start.flatMap { moment($0) }.flatMap { start in
      end.flatMap { moment($0) }.map { $0 - start }
    }
    if let place = item["visit"]?["topCandidate"]?["placeLocation"] {
      for time in [start, end] { add(at: Self.degrees(place["latLng"] ?? place), time: time) }
    }
    if let way = item["activity"] {
      for (place, time) in [(way["start"], start), (way["end"], end)] {
        guard let place else { continue }
        add(at: Self.degrees(place["latLng"] ?? place), time: time)
      }
    }
    for point in item["timelinePath"]?.array ?? [] {
      if let time = point["time"] {
        add(at: Self.degrees(point["point"]), time: time)
      } else {
        let offset = point["durationMinutesOffsetFromStartTime"]
        let later = Seconds.minutes(Self.number(offset) ?? .nan)
        // The last minute may be a partial one.
        guard later >= 0, later <= (length ?? Self.longestPath) + .minutes(1) else {
          refuse("\(Self.shown(offset)) is not a time within its item, in minutes")
          continue
        }
        add(at: Self.degrees(point["point"]), time: start, later: later)
      }
    }
  }

  private mutating func noteSpan(from start: JSONValue?, to end: JSONValue?) {
    guard let start = start.flatMap({ moment($0) }), let end = end.flatMap({ moment($0) }) else {
      return
    }
    hasSpan = start <= end
  }

  private static func shown(_ value: JSONValue?) -> String {
    TerminalText.line(String((value?.text ?? "nothing").prefix(40)))
  }

  // MARK: Positions

  private mutating func add(
    at place: (Double, Double)?, time: JSONValue?, later: Seconds = 0, altitude: JSONValue? = nil,
    accuracy: JSONValue? = nil, speed: JSONValue? = nil, speedUnit: Double = 1
  ) {
    guard let place,
      let position = Coordinate(checkedLatitude: place.0, longitude: place.1)
    else { return refuse("the position is invalid: latitude ±90, longitude ±180") }
    guard let time, time != .null else { return refuse("the position has no time") }
    guard let moment = moment(time) else {
      return refuse("\"\(Self.shown(time))\" is not a time")
    }
    samples.append(
      TraceSample(
        time: moment + later, position: position, altitude: value(altitude).map(Metres.init),
        accuracy: positive(accuracy).map(Metres.init),
        speed: positive(speed).map { MetresPerSecond($0 * speedUnit) }))
  }

  private mutating func refuse(_ reason: String) { faults.append(TraceError(line: line, reason)) }

  private mutating func moment(_ time: JSONValue) -> UTCInstant? {
    var text = time.string ?? ""
    // Numbers with more digits than this are milliseconds, not seconds.
    if let number = time.number, number.magnitude < 1e15 {
      text = FixedDecimal.text(number, digits: 3)
    }
    return text.withUTF8 { bytes in
      if CSVFields.beginsWithDate(bytes), !ISO8601.namesZone(bytes) {
        lacksZone = true
      } else {
        namesZone = true
      }
      return CSVFields.time(bytes)
    }
  }

  /// Nil if there is none; an invalid number is dropped alone.
  private mutating func value(_ value: JSONValue?) -> Double? {
    guard let value, value != .null else { return nil }
    if let number = Self.number(value) { return number }
    valueFault = valueFault ?? TraceError(line: line, "\(Self.shown(value)) is not a number")
    return nil
  }

  /// Phones write -1 for unknown values.
  private mutating func positive(_ value: JSONValue?) -> Double? {
    self.value(value).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// A number, possibly in quotes.
  private static func number(_ value: JSONValue?) -> Double? {
    if let number = value?.number { return number }
    guard var text = value?.string else { return nil }
    return text.withUTF8 { DecimalText.number($0) }
  }

  private static func pair(_ latitude: JSONValue?, _ longitude: JSONValue?) -> (Double, Double)? {
    guard let latitude = number(latitude), let longitude = number(longitude) else { return nil }
    return (latitude, longitude)
  }

  /// GeoJSON has the longitude first.
  private static func corner(_ numbers: [JSONValue]) -> (Double, Double)? {
    numbers.count >= 2 ? pair(numbers[1], numbers[0]) : nil
  }

  /// Degrees times 10⁷.
  private static func e7(
    _ value: JSONValue, _ latitude: String, _ longitude: String
  ) -> (Double, Double)? {
    pair(value[latitude], value[longitude]).map { (unwrapped($0.0) / 1e7, unwrapped($0.1) / 1e7) }
  }

  /// Some old histories contain negative numbers as unsigned 32-bit values.
  private static func unwrapped(_ number: Double) -> Double {
    number > 1.8e9 ? number - 4_294_967_296 : number
  }

  /// `52.1°, 5.1°` or `geo:52.1,5.1`.
  private static func degrees(_ value: JSONValue?) -> (Double, Double)? {
    guard let text = value?.string else { return nil }
    let parts = text.drop { !"+-0123456789.".contains($0) }.split(separator: ",").map { part in
      String(part.filter { "+-0123456789.eE".contains($0) })
    }
    guard parts.count >= 2 else { return nil }
    return pair(.string(parts[0]), .string(parts[1]))
  }
}
