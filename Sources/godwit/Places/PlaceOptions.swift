import ArgumentParser
import RadioSignals
import Records
import Core
import Places

/// The properties of a place on the command line. A property that is not given stays unchanged.
struct PlaceOptions: ParsableArguments {
  @Option(help: "Description, on one line.") var description: String?
  @Option(
    help: ArgumentHelp(
      "Position in degrees. If the latitude is negative, write --at=-36.8,174.7",
      valueName: "lat,lon"), transform: PositionOption.read)
  var at: PositionOption?
  @Option(
    help: ArgumentHelp(
      "Tracked device that it moves with; `godwit places device` reports its position.",
      valueName: "device"))
  var follows: String?
  @Option(
    help: ArgumentHelp(
      "Interval at which it is moved to the device, in seconds. Default: 60.", valueName: "s"))
  var followInterval: Double?
  @Option(
    help: ArgumentHelp("Distance from the device at which it is moved, in metres.", valueName: "m"))
  var followDistance: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Radius, in metres.", valueName: "m"))
  var radius: Double?
  @Option(help: LocalTime.help("Time from which it exists."), transform: LocalTime.read)
  var from: LocalTime?
  @Option(help: LocalTime.help("Time until which it exists."), transform: LocalTime.read)
  var until: LocalTime?
  @OptionGroup var hours: WeeklyHours
  @Option(help: "Category or topic. May be repeated.") var tag: [String] = []
  @Option(
    help: ArgumentHelp(
      "Bluetooth beacon at the place, or all beacons of an owner: ibeacon:UUID/MAJOR/MINOR, with "
        + "* for any, or eddystone:NAMESPACE/INSTANCE. May be repeated. The board is at the place "
        + "while it receives one; see section bluetooth of the settings, and 'godwit near'.",
      valueName: "beacon"), transform: BeaconRegion.read)
  var beacon: [BeaconRegion] = []
  @Option(help: "Person who may see it; default: everybody. May be repeated.")
  var person: [String] = []
  @Option(help: "Group whose members may see it. May be repeated.")
  var group: [String] = []
  @Option(help: "Person who is notified of changes. May be repeated.")
  var follower: [String] = []
  @Flag(
    inversion: .prefixedNo,
    help: "Also notify people who often visit it or places of its kind.")
  var inferredFollowers: Bool?
  @Option(help: "Text to show there. May be repeated.") var text: [String] = []
  @Option(
    help: ArgumentHelp(
      "Address (URI) of a content to show there. May be repeated.", valueName: "uri"))
  var link: [String] = []
  @Option(
    help: "Title of a content. May be repeated: first for the texts, then for the links.")
  var contentTitle: [String] = []
  @Option(
    help: ArgumentHelp(
      "Type of the texts and links, such as sale, by which the content to show is chosen. "
        + "Once for all, or repeated like --content-title.",
      valueName: "type"))
  var contentType: [String] = []
  @Option(
    help: LocalTime.help(
      "Start of a content with a time. May be repeated like --content-title."),
    transform: LocalTime.read)
  var contentFrom: [LocalTime] = []
  @Option(
    help: ArgumentHelp(
      "End, for each --content-from. A content is not shown after its end.", valueName: "time"),
    transform: LocalTime.read)
  var contentUntil: [LocalTime] = []
  @Option(
    help: ArgumentHelp(
      "Venue, for each --content-from.", valueName: "text"))
  var contentVenue: [String] = []
  @Option(
    help: ArgumentHelp(
      "Relationship to another place, such as next=Museum. May be repeated.",
      valueName: "kind=place"))
  var relationship: [String] = []
  @Option(help: "Owner of the place.") var owner: String?

  func validate() throws {
    for word in relationship where word.split(separator: "=", maxSplits: 1).count != 2 {
      throw ValidationError("--relationship \(word): write it as next=Museum")
    }
    guard followInterval == nil || followDistance == nil else {
      throw ValidationError("use only one of --follow-interval and --follow-distance")
    }
    guard follows != nil || (followInterval == nil && followDistance == nil) else {
      throw ValidationError("--follow-interval and --follow-distance need --follows")
    }
    guard follows == nil || at == nil else {
      throw ValidationError("use only one of --at and --follows")
    }
    guard contentTitle.count <= text.count + link.count else {
      throw ValidationError("each --content-title needs a --text or a --link")
    }
    try validateTimes()
    guard contentType.isEmpty || !(text.isEmpty && link.isEmpty) else {
      throw ValidationError("--content-type needs --text or --link")
    }
    guard contentType.count <= 1 || contentType.count == text.count + link.count else {
      throw ValidationError(
        "use one --content-type for all, or one for each --text and then each --link")
    }
    if let from, let until, from.instant >= until.instant {
      throw ValidationError("--from must be before --until")
    }
  }

  private func validateTimes() throws {
    guard contentFrom.count <= text.count + link.count else {
      throw ValidationError("each --content-from needs a --text or a --link")
    }
    guard contentFrom.count == contentUntil.count else {
      throw ValidationError("each --content-from needs a --content-until, and vice versa")
    }
    guard contentVenue.count <= contentFrom.count else {
      throw ValidationError("each --content-venue needs a --content-from")
    }
    for (from, until) in zip(contentFrom, contentUntil) where until.instant < from.instant {
      throw ValidationError("--content-until must not be before its --content-from")
    }
  }

  /// - Parameter table: used to find the places of relationships.
  func apply(to details: inout PlaceDetails, among table: PlaceTable) throws(CommandError) {
    if let description { details.description = description }
    if let at { details.location = .fixed(at.position) }
    if let device { details.location = .following(device) }
    if let radius { details.perimeter = .circle(radius: Metres(radius)) }
    if let from { details.lifetime.from = from.instant }
    if let until { details.lifetime.until = until.instant }
    if let calendar = hours.calendar {
      _ = try hours.read()
      details.schedule = PlaceSchedule(iCalendar: calendar)
    }
    if !tag.isEmpty { details.tags = tag }
    if !beacon.isEmpty { details.beacons = beacon }
    if !person.isEmpty || !group.isEmpty {
      details.visibility = .only(people: person, groups: group)
    }
    if !follower.isEmpty { details.followers.names = follower }
    if let inferredFollowers { details.followers.isInferredFromVisits = inferredFollowers }
    if !text.isEmpty || !link.isEmpty { details.contents = contents }
    if !relationship.isEmpty { details.relationships = try relationships(among: table) }
    if let owner { details.owner = owner }
  }

  /// The device that the place moves with.
  var device: FollowedDevice? {
    follows.map { name in
      FollowedDevice(
        name: name,
        update: followDistance.map { .distance(Metres($0)) }
          ?? .interval(Seconds(followInterval ?? 60)))
    }
  }

  private var contents: [PlaceContent] {
    var contents =
      text.map { PlaceContent(mediaType: "text/plain", text: $0) }
      + link.map { PlaceContent(uri: $0, mediaType: "text/html") }
    for index in contents.indices {
      contents[index].title = index < contentTitle.count ? contentTitle[index] : nil
      contents[index].type = contentType.count > 1 ? contentType[index] : contentType.first ?? ""
    }
    for (index, times) in zip(contentFrom, contentUntil).enumerated() {
      contents[index].happening = ContentItem.Happening(
        from: times.0.instant, until: times.1.instant,
        venue: index < contentVenue.count ? contentVenue[index] : nil)
    }
    return contents
  }

  private func relationships(
    among table: PlaceTable
  ) throws(CommandError) -> [PlaceRelationship] {
    var list: [PlaceRelationship] = []
    for word in relationship {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      list.append(PlaceRelationship(kind: parts[0], target: try table.place(parts[1]).id))
    }
    return list
  }
}

/// `52.09,5.12`: latitude and longitude in degrees.
struct PositionOption: Sendable {
  let position: Coordinate

  /// Parses the value of an option.
  static func read(_ argument: String) throws -> PositionOption {
    guard let position = PositionOption(argument) else {
      throw ValidationError(
        "write latitude and longitude in degrees, such as 52.09,5.12: -90 to 90, and -180 to 180")
    }
    return position
  }

  private init?(_ argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard words.count == 2, let latitude = Self.number(words[0]),
      let longitude = Self.number(words[1]),
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude)
    else { return nil }
    self.position = position
  }

  /// Swift also parses "nan" and "0x10" as numbers.
  private static func number(_ word: Substring) -> Double? {
    let word = word.drop { $0 == " " }
    return word.allSatisfy { "+-.0123456789".contains($0) } ? Double(word) : nil
  }
}

extension Place {
  /// A place made of command line options; errors name the wrong value.
  static func made(
    _ id: PlaceID, version: Int = 1, _ details: PlaceDetails
  ) throws(CommandError) -> Place {
    do { return try Place(id: id, version: version, details) } catch {
      throw .wrongUsage(error.description)
    }
  }
}

extension BeaconRegion {
  /// Parses the value of an option.
  fileprivate static func read(_ argument: String) throws -> BeaconRegion {
    do { return try BeaconRegion(argument) } catch { throw ValidationError(error.message) }
  }
}
