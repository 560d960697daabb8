import ArgumentParser
import RadioSignals
import Records
import Core
import Places

/// The properties of a place on the command line. A property that is not given stays unchanged.
struct PlaceOptions: ParsableArguments {
  @Option(help: "More about it, on one line.") var description: String?
  @Option(
    help: ArgumentHelp(
      "Where it is, in degrees. Where the latitude is negative, write --at=-36.8,174.7",
      valueName: "lat,lon"), transform: PositionOption.read)
  var at: PositionOption?
  @Option(
    help: ArgumentHelp(
      "It goes with this tracked device, of which `godwit places device` tells.",
      valueName: "device"))
  var follows: String?
  @Option(
    help: ArgumentHelp(
      "It is moved there so often, in seconds; 60 where nothing is said.", valueName: "s"))
  var followInterval: Double?
  @Option(
    help: ArgumentHelp("Or as soon as the device is so far from it, in metres.", valueName: "m"))
  var followDistance: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How far it reaches, in metres.", valueName: "m"))
  var radius: Double?
  @Option(help: LocalTime.help("From when on it exists."), transform: LocalTime.read)
  var from: LocalTime?
  @Option(help: LocalTime.help("Until when it exists."), transform: LocalTime.read)
  var until: LocalTime?
  @OptionGroup var hours: WeeklyHours
  @Option(help: "A category or topic; can be given several times.") var tag: [String] = []
  @Option(
    help: ArgumentHelp(
      "A Bluetooth beacon that stands there, or all of an owner's: ibeacon:UUID/MAJOR/MINOR, with "
        + "* for any, or eddystone:NAMESPACE/INSTANCE; can be given several times. Whoever "
        + "hears it is there; see section bluetooth of the settings, and 'godwit near'.",
      valueName: "beacon"), transform: BeaconRegion.read)
  var beacon: [BeaconRegion] = []
  @Option(help: "Somebody who may see it, where not all may; can be given several times.")
  var person: [String] = []
  @Option(help: "A group whose members may see it; can be given several times.")
  var group: [String] = []
  @Option(help: "Somebody who is told of changes; can be given several times.")
  var follower: [String] = []
  @Flag(
    inversion: .prefixedNo,
    help: "Whether who comes often is told of changes, too, and who often visits its kind.")
  var inferredFollowers: Bool?
  @Option(help: "A text that is shown there; can be given several times.") var text: [String] = []
  @Option(
    help: ArgumentHelp(
      "What is shown there, by its address; can be given several times.", valueName: "uri"))
  var link: [String] = []
  @Option(
    help: "What it is called; can be given several times, for the texts and then the links.")
  var contentTitle: [String] = []
  @Option(
    help: ArgumentHelp(
      "What the texts and links are about, such as sale: by that it is chosen which one is shown. "
        + "Once for all of them, or for each, as --content-title.",
      valueName: "type"))
  var contentType: [String] = []
  @Option(
    help: LocalTime.help(
      "When it begins, if it has a time; can be given several times, as --content-title."),
    transform: LocalTime.read)
  var contentFrom: [LocalTime] = []
  @Option(
    help: ArgumentHelp(
      "When it ends, for each --content-from. What is over is not shown.", valueName: "time"),
    transform: LocalTime.read)
  var contentUntil: [LocalTime] = []
  @Option(
    help: ArgumentHelp(
      "Where it takes place, for each --content-from.", valueName: "text"))
  var contentVenue: [String] = []
  @Option(
    help: ArgumentHelp(
      "Another place, and what that is to it, such as next=Museum; can be given several times.",
      valueName: "kind=place"))
  var relationship: [String] = []
  @Option(help: "Who made it.") var owner: String?

  func validate() throws {
    for word in relationship where word.split(separator: "=", maxSplits: 1).count != 2 {
      throw ValidationError("--relationship \(word): write it as next=Museum")
    }
    guard followInterval == nil || followDistance == nil else {
      throw ValidationError("give one of --follow-interval and --follow-distance")
    }
    guard follows != nil || (followInterval == nil && followDistance == nil) else {
      throw ValidationError("--follow-interval and --follow-distance belong to --follows")
    }
    guard follows == nil || at == nil else {
      throw ValidationError("give one of --at and --follows")
    }
    guard contentTitle.count <= text.count + link.count else {
      throw ValidationError("each --content-title belongs to a --text or a --link")
    }
    try validateTimes()
    guard contentType.isEmpty || !(text.isEmpty && link.isEmpty) else {
      throw ValidationError("--content-type belongs to --text or --link")
    }
    guard contentType.count <= 1 || contentType.count == text.count + link.count else {
      throw ValidationError(
        "give one --content-type for all, or one for each --text and then each --link")
    }
    if let from, let until, from.instant >= until.instant {
      throw ValidationError("--from has to be before --until")
    }
  }

  private func validateTimes() throws {
    guard contentFrom.count <= text.count + link.count else {
      throw ValidationError("each --content-from belongs to a --text or a --link")
    }
    guard contentFrom.count == contentUntil.count else {
      throw ValidationError("each --content-from needs a --content-until, and the other way round")
    }
    guard contentVenue.count <= contentFrom.count else {
      throw ValidationError("each --content-venue belongs to a --content-from")
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
    if let calendar = hours.calendar { details.schedule = try Self.schedule(calendar) }
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

  private static func schedule(_ calendar: String) throws(CommandError) -> PlaceSchedule {
    let zones = SystemTimeZones()
    do {
      _ = try Schedule(calendar: calendar, local: zones.local, zones: zones.zone)
    } catch {
      throw .wrongUsage("schedule: it \(error)")
    }
    return PlaceSchedule(iCalendar: calendar)
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
