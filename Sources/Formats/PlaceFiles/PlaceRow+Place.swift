import Core
import Places
import Records

/// Conversion of places to and from the layers of a store: a row is read like a feature of a file,
/// because people also fill its columns with other programs.
extension PlaceRow {
  /// The row of a place. The store assigns its id.
  public init(_ place: Place) {
    let stored = StoredPlace(place)
    switch place.perimeter {
    case .circle(let radius):
      let centre: Coordinate? = if case .fixed(let centre) = place.location { centre } else { nil }
      self = .circle(StoredCircle(id: 0, centre: centre, radius: radius, stored))
    case .polygons(let polygons):
      var area = StoredArea(
        id: 0, polygons: polygons.map { [$0.outer] + $0.holes }, latitude: nil, longitude: nil,
        stored)
      if case .fixed(let position) = place.location {
        area.latitude = position.latitude
        area.longitude = position.longitude
      }
      self = .area(area)
    }
  }

  /// The place that the row describes, or why it is not one.
  public func entry(_ defaults: PlaceFileDefaults) -> PlaceFileEntry {
    var draft = PlaceDraft()
    let noun: String
    switch self {
    case .circle(let circle):
      noun = "places row"
      draft.shape = circle.centre.map { .point($0) } ?? .nowhere
      if let radius = circle.radius { draft.properties.add("radius_m", .number(radius.value)) }
    case .area(let area):
      noun = "place_areas row"
      if let polygons = area.polygons {
        draft.shape = .polygons(
          polygons.map { rings in
            PerimeterPolygon(outer: rings.first ?? [], holes: Array(rings.dropFirst()))
          })
      }
      if let latitude = area.latitude, let longitude = area.longitude {
        let position = Coordinate(latitude: latitude, longitude: longitude)
        draft.properties.add("location", PlaceMembers.position(position))
      }
    }
    place.describe(in: &draft.properties)
    let number = Int(clamping: id)
    guard let id = place.uuid.flatMap({ PlaceID($0) }) else {
      let item = PlaceFileItem(noun, number, name: place.name)
      let reason =
        place.uuid.map { "\(Quoted.text($0)) is not a UUID: empty it, and insert the row again" }
        ?? "it is empty: insert the row again to get one"
      return PlaceFileEntry(item, .refused(PlaceFileError(reason, at: "uuid", in: item)))
    }
    draft.id = id
    return draft.entry(noun, number, defaults)
  }
}

extension StoredPlace {
  fileprivate init(_ place: Place) {
    self.init()
    uuid = place.id.description
    name = place.name
    description = place.description.isEmpty ? nil : place.description
    if case .following(let followed) = place.location {
      device = followed.name
      switch followed.update {
      case .interval(let interval): deviceInterval = interval
      case .distance(let distance): deviceDistance = distance
      }
      anchorLatitude = followed.anchor?.latitude
      anchorLongitude = followed.anchor?.longitude
    }
    validFrom = place.lifetime.from
    validUntil = place.lifetime.until
    for (name, value) in PlaceMembers.rest(of: place) { take(name, value) }
    version = Int64(place.version)
  }

  /// A part in the encoding used in files.
  private mutating func take(_ name: StaticString, _ value: JSONValue) {
    let text = value.string ?? value.text
    switch "\(name)" {
    case "schedule": schedule = text
    case "visible_to": visibleTo = text
    case "relationships": relationships = text
    case "beacons": beacons = text
    case "tags": tags = text
    case "followers": followers = text
    case "contents": contents = text
    case "owner": owner = text
    default: break
    }
  }

  /// Its columns under the names used in files.
  fileprivate func describe(in properties: inout PlaceProperties) {
    let texts = [
      ("name", name), ("description", description), ("schedule", schedule),
      ("visible_to", visibleTo), ("relationships", relationships), ("tags", tags),
      ("beacons", beacons),
      ("followers", followers), ("contents", contents), ("owner", owner),
      ("valid_from", validFrom.map(PlaceMembers.time)),
      ("valid_until", validUntil.map(PlaceMembers.time)), ("version", version.map { "\($0)" }),
    ]
    for (name, text) in texts { properties.add(name, .text(text)) }
    if let follows { properties.add("follows", follows) }
  }

  private var follows: JSONValue? {
    guard let device, !device.isEmpty else { return nil }
    var members: [(name: String, value: JSONValue)] = [("device", .string(device))]
    if let deviceInterval { members.append(("interval_s", .number(deviceInterval.value))) }
    if let deviceDistance { members.append(("distance_m", .number(deviceDistance.value))) }
    if let anchorLatitude, let anchorLongitude {
      let anchor = Coordinate(latitude: anchorLatitude, longitude: anchorLongitude)
      members.append(("anchor", PlaceMembers.position(anchor)))
    }
    return .object(members)
  }
}
