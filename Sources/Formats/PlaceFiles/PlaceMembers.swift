import Core
import Places

/// The members of a place in files, besides its name and shape: the model's names, with units in
/// them, and only members with a value. Each format encodes them in its own way.
enum PlaceMembers {
  typealias Member = (name: StaticString, value: JSONValue)

  /// Its location, as far as the shape does not show it.
  static func locationMembers(of place: Place) -> [Member] {
    var members: [Member] = []
    if case .circle(let radius) = place.perimeter {
      members.append(("radius_m", .number(radius.value)))
    }
    switch (place.location, place.perimeter) {
    case (.fixed(let position), .polygons): members.append(("location", Self.position(position)))
    case (.fixed, .circle): break
    case (.following(let device), _): members.append(("follows", follows(device)))
    }
    return members
  }

  static func lifetime(of place: Place) -> [Member] {
    [("valid_from", place.lifetime.from), ("valid_until", place.lifetime.until)]
      .compactMap { name, instant in instant.map { (name, .string(time($0))) } }
  }

  static func rest(of place: Place) -> [Member] {
    var members: [Member] = []
    if let schedule = place.schedule { members.append(("schedule", .string(schedule.iCalendar))) }
    if case .only(let people, let groups) = place.visibility {
      members.append(
        ("visible_to", .object([("people", texts(people)), ("groups", texts(groups))])))
    }
    if !place.relationships.isEmpty {
      members.append(("relationships", .array(place.relationships.map(relationship))))
    }
    if !place.beacons.isEmpty {
      members.append(("beacons", texts(place.beacons.map(\.description))))
    }
    if !place.tags.isEmpty { members.append(("tags", texts(place.tags))) }
    if place.followers != PlaceFollowers() {
      members.append(
        (
          "followers",
          .object([
            ("names", texts(place.followers.names)),
            ("inferred_from_visits", .bool(place.followers.isInferredFromVisits)),
          ])
        ))
    }
    if !place.contents.isEmpty {
      members.append(("contents", .array(place.contents.map(content))))
    }
    return members + [("owner", .string(place.owner)), ("version", whole(place.version))]
  }

  // MARK: Values

  /// For a format with texts only: lists and objects become JSON.
  static func text(_ member: Member) -> String {
    if case .string(let text) = member.value { text } else { member.value.text }
  }

  static func position(_ position: Coordinate) -> JSONValue {
    .array([.number(position.longitude.value), .number(position.latitude.value)])
  }

  private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  private static func follows(_ device: FollowedDevice) -> JSONValue {
    let update: (name: String, value: JSONValue) =
      switch device.update {
      case .interval(let interval): ("interval_s", .number(interval.value))
      case .distance(let distance): ("distance_m", .number(distance.value))
      }
    let anchor = device.anchor.map { [(name: "anchor", value: position($0))] } ?? []
    return .object([("device", .string(device.name)), update] + anchor)
  }

  private static func relationship(_ relationship: PlaceRelationship) -> JSONValue {
    .object([
      ("kind", .string(relationship.kind)), ("target", .string(relationship.target.description)),
    ])
  }

  private static func content(_ content: PlaceContent) -> JSONValue {
    let happening = content.happening
    let members: [(name: String, text: String?)] = [
      ("id", content.id?.description), ("title", content.title),
      ("type", content.type.isEmpty ? nil : content.type), ("uri", content.uri),
      ("media_type", content.mediaType), ("text", content.text),
      ("start", happening.map { time($0.start) }), ("end", happening.map { time($0.end) }),
      ("venue", happening?.venue),
    ]
    return .object(
      members.compactMap { name, text in text.map { (name, JSONValue.string($0)) } })
  }

  /// As a text if a JSON number is not exact (RFC 7493, section 2.2).
  private static func whole(_ number: Int) -> JSONValue {
    number > 1 << 53 ? .string("\(number)") : .number(Double(number))
  }

  /// With as many decimals as needed. The ends of an instant's range, which have no readable date,
  /// become the nearest that have one.
  static func time(_ instant: UTCInstant) -> String {
    let moments = CivilTime.moments
    let instant = min(max(instant, moments.lowerBound), moments.upperBound)
    let digits =
      instant.nanoseconds % 1_000_000_000 == 0
      ? 0 : instant.nanoseconds % 1_000_000 == 0 ? 3 : 9
    return ISO8601.text(instant, digits: digits)
  }
}

extension PerimeterPolygon {
  /// The rings in the order of RFC 7946, section 3.1.6: the inside of the outer one on its left,
  /// that of holes on their right. Each keeps its start.
  var rightHanded: [[Coordinate]] {
    func oriented(_ ring: [Coordinate], left: Bool) -> [Coordinate] {
      SphericalRegion.isInsideLeft(of: ring) == left ? ring : ring.reversed()
    }
    return [oriented(outer, left: true)] + holes.map { oriented($0, left: false) }
  }

  /// Whether an edge crosses the antimeridian, where section 3.1.9 requires a cut.
  ///
  /// It is written uncut all the same: a cut would make another place under the same id and
  /// version, with corners that nobody has drawn.
  var crossesAntimeridian: Bool {
    ([outer] + holes).contains { ring in
      zip(ring, ring.dropFirst()).contains { from, to in
        (from.longitude - to.longitude).magnitude > 180 && !Sphere.isAlongPole(from: from, to: to)
      }
    }
  }

  static let crossingNotice =
    "it crosses the antimeridian, where other programs may draw it around the Earth"
}
