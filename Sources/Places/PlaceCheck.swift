import Core

/// Checks a place's details against the limits, and for consistency.
enum PlaceCheck {
  static func check(_ details: PlaceDetails, of id: PlaceID) throws(PlaceError) {
    try name(details.name, at: "name")
    try length(details.description, max: PlaceLimits.description, at: "description")
    try name(details.owner, at: "owner")
    try location(details)
    do { try details.perimeter.check() } catch { throw error.within("perimeter") }
    try names(
      details.beacons.map(\.description), max: PlaceLimits.beacons, "beacon", at: "beacons")
    try lifetime(details.lifetime)
    if let schedule = details.schedule { try check(schedule) }
    try visibility(details.visibility)
    try relationships(details.relationships, of: id)
    try names(details.tags, max: PlaceLimits.tags, "tag", at: "tags")
    try names(details.followers.names, max: PlaceLimits.people, "follower", at: "followers")
    try contents(details.contents)
  }

  // MARK: Texts and lists

  private static func length(_ text: String, max: Int, at path: String) throws(PlaceError) {
    let count = text.utf8.count
    guard count <= max else {
      throw PlaceError(.tooLong, at: path, "\(count) bytes: shorten it to at most \(max)")
    }
  }

  /// A name of any kind: on one line.
  private static func name(_ text: String, at path: String) throws(PlaceError) {
    try length(text, max: PlaceLimits.name, at: path)
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw PlaceError(.missing, at: path, "it is empty: write a name")
    }
    guard !TerminalText.hasControlCharacter(text) else {
      throw PlaceError(
        .malformed, at: path, "it has a line break or another control character: remove it")
    }
  }

  private static func count(
    _ list: some Collection, max: Int, _ noun: String, at path: String
  ) throws(PlaceError) {
    guard list.count <= max else {
      let found = Counted.text(list.count, noun)
      throw PlaceError(.tooMany, at: path, "\(found): keep at most \(max)")
    }
  }

  private static func names(
    _ list: [String], max: Int, _ noun: String, at path: String
  ) throws(PlaceError) {
    try count(list, max: max, noun, at: path)
    var known: Set<String> = []
    for (index, text) in list.enumerated() {
      try name(text, at: "\(path)[\(index)]")
      guard known.insert(text).inserted else {
        throw PlaceError(
          .repeated, at: "\(path)[\(index)]", "the \(noun) exists already: remove one of the two")
      }
    }
  }

  // MARK: Where and when

  private static func location(_ details: PlaceDetails) throws(PlaceError) {
    switch details.location {
    case .fixed(let coordinate):
      try check(coordinate, at: "location")
      guard case .circle = details.perimeter, coordinate.isNullIsland else { return }
      throw PlaceError(
        .missing, at: "location", "its position is 0, 0, which means unknown: set one")
    case .following(let device):
      try name(device.name, at: "location.device")
      try update(device.update)
      if let anchor = device.anchor { try check(anchor, at: "location.anchor") }
      guard case .polygons = details.perimeter, device.anchor == nil else { return }
      throw PlaceError(
        .contradictory, at: "location.anchor",
        "polygons that follow a device need its position in their drawing: set an anchor")
    }
  }

  private static func update(_ update: FollowedDevice.Update) throws(PlaceError) {
    switch update {
    case .interval(let interval):
      try check(interval, PlaceLimits.followingInterval, "interval", at: "location.update")
    case .distance(let distance):
      try check(distance, PlaceLimits.followingDistance, "threshold", at: "location.update")
    }
  }

  static func check<Value: Quantity>(
    _ value: Value, _ range: ClosedRange<Value>, _ noun: String, at path: String
  ) throws(PlaceError) {
    guard range.contains(value) else {
      throw PlaceError(
        .outOfRange, at: path,
        "\(value) is not a valid \(noun): use \(range.lowerBound) to \(range.upperBound)")
    }
  }

  static func check(_ coordinate: Coordinate, at path: String) throws(PlaceError) {
    guard coordinate.latitude.magnitude <= 90, coordinate.longitude.magnitude <= 180 else {
      throw PlaceError(
        .outOfRange, at: path,
        "\(coordinate.latitude.value), \(coordinate.longitude.value) is not a position: use a "
          + "latitude of -90 to 90 and a longitude of -180 to 180")
    }
  }

  private static func lifetime(_ lifetime: PlaceLifetime) throws(PlaceError) {
    guard let from = lifetime.from, let until = lifetime.until, from >= until else { return }
    throw PlaceError(
      .contradictory, at: "lifetime", "it ends before it begins: swap the two, or remove one")
  }

  private static func check(_ schedule: PlaceSchedule) throws(PlaceError) {
    try length(schedule.iCalendar, max: PlaceLimits.schedule, at: "schedule")
    guard schedule.iCalendar.contains(where: { !$0.isWhitespace }) else {
      throw PlaceError(
        .missing, at: "schedule", "it is empty: leave it out if the place is always open")
    }
  }

  // MARK: Visibility and contents

  private static func visibility(_ visibility: PlaceVisibility) throws(PlaceError) {
    guard case .only(let people, let groups) = visibility else { return }
    try names(people, max: PlaceLimits.people, "person", at: "visibility.people")
    try names(groups, max: PlaceLimits.groups, "group", at: "visibility.groups")
  }

  private static func relationships(
    _ list: [PlaceRelationship], of id: PlaceID
  ) throws(PlaceError) {
    try count(list, max: PlaceLimits.relationships, "relationship", at: "relationships")
    var known: Set<PlaceRelationship> = []
    for (index, relationship) in list.enumerated() {
      let path = "relationships[\(index)]"
      try name(relationship.kind, at: "\(path).kind")
      guard relationship.target != id else {
        throw PlaceError(
          .contradictory, at: "\(path).target", "it is the place itself: name another one")
      }
      guard known.insert(relationship).inserted else {
        throw PlaceError(.repeated, at: path, "it exists already: remove one of the two")
      }
    }
  }

  private static func contents(_ list: [PlaceContent]) throws(PlaceError) {
    try count(list, max: PlaceLimits.contents, "content", at: "contents")
    var known: Set<UniqueID> = []
    for (index, content) in list.enumerated() {
      let path = "contents[\(index)]"
      try check(content, at: path)
      if let id = content.id, !known.insert(id).inserted {
        throw PlaceError(
          .repeated, at: "\(path).id", "another content has it already: leave one of them out")
      }
    }
  }

  private static func check(_ content: PlaceContent, at path: String) throws(PlaceError) {
    guard content.uri != nil || content.text != nil || content.title != nil else {
      throw PlaceError(.missing, at: path, "there is nothing to show: set a uri or a text")
    }
    if let title = content.title { try name(title, at: "\(path).title") }
    if !content.type.isEmpty { try name(content.type, at: "\(path).type") }
    if let venue = content.happening?.venue { try name(venue, at: "\(path).venue") }
    if let text = content.text {
      try length(text, max: PlaceLimits.inlineText, at: "\(path).text")
    }
    if let uri = content.uri {
      try length(uri, max: PlaceLimits.uri, at: "\(path).uri")
      guard isURI(uri) else {
        throw PlaceError(
          .malformed, at: "\(path).uri",
          "it is not a URI: write one with its scheme, such as https://example.org/, without spaces"
        )
      }
    }
    guard isMediaType(content.mediaType) else {
      throw PlaceError(
        .malformed, at: "\(path).mediaType", "it is not a media type: write one such as text/plain")
    }
  }

  /// A scheme, a colon, and visible ASCII (RFC 3986, sections 2 and 3.1).
  private static func isURI(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text[..<colon]
    return scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      && text.utf8.index(after: colon) != text.utf8.endIndex
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
  }

  /// RFC 6838, section 4.2: two names of restricted characters.
  private static func isMediaType(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        part.utf8.count <= PlaceLimits.mediaTypePart
          && part.first.map { $0.isLetter || $0.isNumber } == true
          && part.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&-^_.+".contains($0))
          }
      }
  }
}
