import RadioSignals
import Records
import Core
import Places

extension PlaceDraft {
  // MARK: Identity

  static func ownID(_ found: PlaceProperties.Found) -> PlaceID? {
    (try? PlaceProperties.text(found)).flatMap { PlaceID($0.trimmed) }
  }

  /// The id in the file, if it is a UUID. Another one is dropped, with a notice.
  mutating func identity() throws(PlaceError) -> PlaceID? {
    let found = properties.find("id")
    let texts = try found.map(PlaceProperties.text)?.trimmed
    if let id = id ?? texts.flatMap(PlaceID.init) { return id }
    foreignID = foreignID ?? texts
    if let text = foreignID {
      notices.append("its id is \(Quoted.text(text)), not a UUID: it gets a new one")
    }
    return nil
  }

  /// An id derived from everything that the file has about the place: read again it is the same
  /// place, and with any change it is another one.
  ///
  /// - Parameter owner: as in the file; the reader's name does not affect the id, nor does the
  ///   default radius.
  func idByContent(
    _ details: PlaceDetails, owner: String?
  ) throws(PlaceError) -> PlaceID {
    var said = details
    said.owner = owner ?? Visitor.keeper
    if case .circle = details.perimeter {
      var draft = self
      (_, said.perimeter) = try draft.locationAndPerimeter(.ofStore)
    }
    var writer = PlaceFileFormat.geojson.writer()
    _ = writer.place(try Place(id: PlaceID(of: SHA256()), said))
    var digest = SHA256()
    digest.update(Array("\(foreignID?.utf8.count ?? -1):\(foreignID ?? "")".utf8))
    digest.update(writer.output)
    return PlaceID(of: digest)
  }

  // MARK: Location

  mutating func locationAndPerimeter(
    _ defaults: PlaceFileDefaults
  ) throws(PlaceError) -> (PlaceLocation, Perimeter) {
    let device = try own { (draft) throws(PlaceError) in try draft.followedDevice() }
    let location = try own("location", PlaceProperties.position)
    let radius = properties.find("radius_m", "radius", "rad", "proximity")
    switch shape {
    case .polygons(let polygons):
      if radius != nil { notices.append("its radius is not imported: it has a polygon") }
      let perimeter = Perimeter.polygons(polygons)
      if let device { return (.following(device), perimeter) }
      if let location, !location.isNullIsland { return (.fixed(location), perimeter) }
      if location != nil {
        notices.append("its location is not imported: it is 0, 0, which means unknown")
      }
      do { try perimeter.check() } catch {
        throw PlaceError(error.fault, at: "perimeter.\(error.path)", error.reason)
      }
      return (.fixed(PolygonCircle.inside(polygons)), perimeter)
    case .point(let point):
      let circle = try circle(radius, defaults)
      guard let device else { return (.fixed(point), circle) }
      notices.append("its point is not imported: it follows a device")
      return (.following(device), circle)
    case .nowhere:
      if let device { return (.following(device), try circle(radius, defaults)) }
      guard let location else {
        throw PlaceError(
          .missing, at: "geometry",
          "it is missing: draw a point or a polygon, or name the device that it follows")
      }
      return (.fixed(location), try circle(radius, defaults))
    }
  }

  private mutating func circle(
    _ found: PlaceProperties.Found?, _ defaults: PlaceFileDefaults
  ) throws(PlaceError) -> Perimeter {
    let radius = try found.flatMap { (found) throws(PlaceError) in
      try own { (_) throws(PlaceError) in try PlaceProperties.number(found) }
    }
    if let radius { return .circle(radius: Metres(radius)) }
    notices.append("it has no radius, and gets \(defaults.radius)")
    return .circle(radius: defaults.radius)
  }

  private mutating func followedDevice() throws(PlaceError) -> FollowedDevice? {
    guard let found = properties.find("follows") else { return nil }
    var members = try members(of: found)
    guard let device = members.find("device") else {
      throw PlaceError(.missing, at: "\(found.name).device", "name the device that it follows")
    }
    let update: FollowedDevice.Update
    let distance = try members.find("distance_m").map(PlaceProperties.number)
    let interval = try members.find("interval_s").map(PlaceProperties.number)
    switch (interval, distance) {
    case (let interval?, nil): update = .interval(Seconds(interval))
    case (nil, let distance?): update = .distance(Metres(distance))
    default:
      throw PlaceError(
        .contradictory, at: found.name, "use either interval_s or distance_m, not both")
    }
    return FollowedDevice(
      name: try PlaceProperties.text(device), update: update,
      anchor: try members.find("anchor").map(PlaceProperties.position))
  }

  /// The members of an object, each named with its path.
  private func members(
    of found: PlaceProperties.Found
  ) throws(PlaceError) -> PlaceProperties {
    let value = try PlaceProperties.structure(found)
    guard case .object = value else { throw PlaceProperties.fault(found, "it is not an object") }
    return PlaceProperties(value, within: found.name)
  }

  // MARK: Audience and contents

  mutating func audience(_ details: inout PlaceDetails) throws(PlaceError) {
    if let found = properties.find("visible_to") {
      var members = try members(of: found)
      details.visibility = .only(
        people: try members.find("people").map(PlaceProperties.texts) ?? [],
        groups: try members.find("groups").map(PlaceProperties.texts) ?? [])
    }
    details.followers =
      try own { (draft) throws(PlaceError) in try draft.followers() } ?? details.followers
  }

  private mutating func followers() throws(PlaceError) -> PlaceFollowers? {
    guard let found = properties.find("followers") else { return nil }
    var members = try members(of: found)
    return PlaceFollowers(
      names: try members.find("names").map(PlaceProperties.texts) ?? [],
      isInferredFromVisits: try members.find("inferred_from_visits").map(PlaceProperties.flag)
        ?? false)
  }

  mutating func relationships() throws(PlaceError) -> [PlaceRelationship] {
    var relationships: [PlaceRelationship] = []
    for var members in try objects("relationships") {
      guard let kind = members.find("kind"), let target = members.find("target") else {
        throw PlaceError(
          .missing, at: "relationships[\(relationships.count)]", "write its kind and its target")
      }
      guard let id = PlaceID(try PlaceProperties.text(target)) else {
        throw PlaceProperties.fault(target, "it is not a UUID: name a place by its id")
      }
      relationships.append(PlaceRelationship(kind: try PlaceProperties.text(kind), target: id))
    }
    return relationships
  }

  mutating func beacons() throws(PlaceError) -> [BeaconRegion] {
    guard let found = properties.find("beacons") else { return [] }
    var regions: [BeaconRegion] = []
    for (index, text) in try PlaceProperties.texts(found).enumerated() {
      do throws(BeaconTextError) {
        regions.append(try BeaconRegion(text))
      } catch {
        throw PlaceError(.malformed, at: "\(found.name)[\(index)]", error.message)
      }
    }
    return regions
  }

  mutating func contents() throws(PlaceError) -> [PlaceContent] {
    var contents: [PlaceContent] = []
    for var members in try objects("contents") {
      let uri = try members.find("uri").map(PlaceProperties.text)
      let text = try members.find("text").map(PlaceProperties.text)
      var type = try members.find("media_type").map(PlaceProperties.text)
      // Without a type, the content at an address may be anything.
      if uri == nil, text != nil { type = type ?? "text/plain" }
      guard let type else {
        throw PlaceError(
          .missing, at: "contents[\(contents.count)].media_type", "write a type such as text/html")
      }
      var content = PlaceContent(uri: uri, mediaType: type, text: text)
      content.id = try contentID(members.find("id"))
      content.title = try members.find("title").map(PlaceProperties.plainText)
      content.type = try members.find("type").map(PlaceProperties.text) ?? ""
      content.happening = try Self.happening(&members, at: "contents[\(contents.count)]")
      contents.append(content)
    }
    return contents
  }

  /// An id that is not a UUID is dropped, with a notice.
  private mutating func contentID(
    _ found: PlaceProperties.Found?
  ) throws(PlaceError) -> UniqueID? {
    guard let found else { return nil }
    let text = try PlaceProperties.text(found).trimmed
    guard let id = UniqueID(text) else {
      notices.append("\(found.name) is \(Quoted.text(text)), not a UUID: it gets a new one")
      return nil
    }
    return id
  }

  private static func happening(
    _ members: inout PlaceProperties, at path: String
  ) throws(PlaceError) -> ContentItem.Happening? {
    let start = try members.find("start").map(PlaceProperties.time)
    let end = try members.find("end").map(PlaceProperties.time)
    let venue = try members.find("venue").map(PlaceProperties.plainText)
    switch (start, end) {
    case (nil, nil):
      guard venue == nil else {
        throw PlaceError(.missing, at: "\(path).start", "it has a venue: add its begin")
      }
      return nil
    case (nil, _): throw PlaceError(.missing, at: "\(path).start", "add its begin")
    case (_, nil): throw PlaceError(.missing, at: "\(path).end", "add its end")
    case (let start?, let end?):
      guard let happening = ContentItem.Happening(from: start, until: end, venue: venue) else {
        throw PlaceError(
          .contradictory, at: "\(path).end", "it ends before it begins: swap the two")
      }
      return happening
    }
  }

  private mutating func objects(_ name: String) throws(PlaceError) -> [PlaceProperties] {
    guard let found = properties.find(name) else { return [] }
    guard case .array(let items) = try PlaceProperties.structure(found) else {
      throw PlaceProperties.fault(found, "it is not a list of objects")
    }
    var objects: [PlaceProperties] = []
    for (index, item) in items.enumerated() {
      objects.append(try members(of: ("\(found.name)[\(index)]", item)))
    }
    return objects
  }
}
