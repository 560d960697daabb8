import Foundation
import Core
import Places
import TestSupport

/// Random places from a seed: every part present or not, and texts that break formats.
struct RandomPlaces {
  var random: SplitMix
  /// Whether texts contain characters that XML cannot hold.
  var hasControls = true
  /// Whether texts contain the end of CDATA, which GDAL's LIBKML writes into it unescaped.
  var hasBrackets = true

  private static let texts = [
    "School", "Café <\"A&B\"> 北", "a,b; c", "[1,2]", "{\"a\":1}", "]]>", "null", "(2:a,b)",
    "😀 \\ /",
    "<b>bold</b> &amp; &#38;", "'single'", "100", "true", "x:y:z", "O\u{308}", "-",
  ]
  private static let controls = ["\u{0}\u{1}", "\u{7F}\u{85}", "\u{FFFE}", "a\u{1F}b"]

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func places(_ count: Int) throws -> [Place] {
    var places: [Place] = []
    for _ in 0..<count { places.append(try place()) }
    return places
  }

  mutating func place() throws -> Place {
    let id = PlaceID.made(using: &random)
    var details = PlaceDetails(
      name: name(), location: .fixed(position()),
      perimeter: .circle(radius: Metres(number(1, 9e4))),
      owner: name())
    if maybe() { details.perimeter = .polygons(polygons()) }
    if maybe() { details.location = .following(device()) }
    if maybe() { details.description = text() + "\n" + text() }
    if maybe() {
      details.lifetime.from = UTCInstant(
        nanoseconds: Int64.random(in: 0...9, using: &random) * 123_456_789)
    }
    if maybe() { details.lifetime.until = UTCInstant(seconds: 1e9 + number(0, 1e6)) }
    if maybe() {
      details.schedule = PlaceSchedule(iCalendar: "DTSTART:20260501T080000\nRRULE:FREQ=DAILY")
    }
    if maybe() { details.visibility = .only(people: names("p"), groups: names("g")) }
    if maybe() { details.relationships = [.init(kind: name(), target: .made(using: &random))] }
    if maybe() { details.tags = names("t") }
    if maybe() { details.followers = .init(names: names("f"), isInferredFromVisits: maybe()) }
    if maybe() {
      details.contents = [
        .init(uri: "https://example.org/a?b=c&d", mediaType: "image/png"),
        .init(mediaType: "text/plain", text: text()),
        .init(uri: "geo:1,2", mediaType: "text/html", text: text()),
      ]
      describe(&details.contents)
    }
    let versions = [1, 2, 1 << 53, 1 << 53 + 1, Int.max]
    return try Place(id: id, version: versions.randomElement(using: &random)!, details)
  }

  /// Uses a copy of the generator, so that the other parts stay as before contents had these.
  private func describe(_ contents: inout [PlaceContent]) {
    var aside = self
    contents[1].title = aside.name()
    contents[1].type = aside.maybe() ? aside.name() : ""
    contents[2].id = aside.maybe() ? UniqueID.made(using: &aside.random) : nil
    let moment = UTCInstant(seconds: 1e9 + aside.number(0, 1e6))
    contents[2].happening = .init(
      from: moment, until: moment + Seconds(aside.number(0, 1e5)),
      venue: aside.maybe() ? aside.name() : nil)
  }

  // MARK: Parts

  private mutating func maybe() -> Bool { Bool.random(using: &random) }

  private mutating func number(_ least: Double, _ most: Double) -> Double {
    let number = Double.random(in: least...most, using: &random)
    return maybe() ? number : number.rounded()
  }

  private mutating func text() -> String {
    let texts = hasControls ? Self.texts + Self.controls : Self.texts
    return one(of: texts)
  }

  private mutating func one(of texts: [String]) -> String {
    texts.filter { hasBrackets || $0 != "]]>" }.randomElement(using: &random)!
  }

  private mutating func name() -> String {
    let text = one(of: Self.texts)
    return maybe() ? text : "\(text) \(Int.random(in: 0...99, using: &random))"
  }

  private mutating func names(_ prefix: String) -> [String] {
    (0..<Int.random(in: 0...3, using: &random)).map { "\(prefix)\($0) \(name())" }
  }

  private mutating func position() -> Coordinate {
    Coordinate(latitude: Degrees(number(-85, 85)), longitude: Degrees(number(-180, 180)))
  }

  private mutating func device() -> FollowedDevice {
    FollowedDevice(
      name: name(),
      update: maybe() ? .interval(Seconds(number(1, 86_400))) : .distance(Metres(number(1, 1000))),
      anchor: position())
  }

  /// Stars side by side, some with a hole, in either orientation, also over the antimeridian.
  private mutating func polygons() -> [PerimeterPolygon] {
    let middle = Coordinate(
      latitude: Degrees(number(-80, 80)), longitude: Degrees(maybe() ? 179.999 : number(-179, 179)))
    let size = Double.random(in: 0.001...0.1, using: &random)
    return (0..<Int.random(in: 1...3, using: &random)).map { index in
      let centre = Coordinate(
        latitude: middle.latitude,
        longitude: Sphere.normalizedLongitude(middle.longitude + Degrees(3 * size * Double(index))))
      return PerimeterPolygon(
        outer: star(around: centre, size),
        holes: maybe() ? [star(around: centre, size / 5)] : [])
    }
  }

  private mutating func star(around centre: Coordinate, _ size: Double) -> [Coordinate] {
    let count = Int.random(in: 5...9, using: &random)
    var ring = (0..<count).map { index in
      let angle =
        2 * .pi * (Double(index) + Double.random(in: 0...0.4, using: &random)) / Double(count)
      let reach = size * Double.random(in: 0.5...1, using: &random)
      return Coordinate(
        latitude: centre.latitude + Degrees(reach * sin(angle)),
        longitude: Sphere.normalizedLongitude(centre.longitude + Degrees(reach * cos(angle))))
    }
    ring.append(ring[0])
    return maybe() ? ring : ring.reversed()
  }
}

extension Perimeter {
  /// The same with every ring in the orientation with the smaller second corner. Either orientation
  /// of a ring has the same meaning.
  var turned: Perimeter {
    guard case .polygons(let polygons) = self else { return self }
    func turned(_ ring: [Coordinate]) -> [Coordinate] {
      let (a, b) = (ring[1], ring[ring.count - 2])
      let isSmaller =
        (a.latitude.value, a.longitude.value) < (b.latitude.value, b.longitude.value)
      return isSmaller ? ring : ring.reversed()
    }
    return .polygons(
      polygons.map { PerimeterPolygon(outer: turned($0.outer), holes: $0.holes.map(turned)) })
  }
}

extension Place {
  /// The same except for the orientation of its rings.
  var turned: Place {
    var details = details
    details.perimeter = details.perimeter.turned
    return (try? Place(id: id, version: version, details)) ?? self
  }
}
