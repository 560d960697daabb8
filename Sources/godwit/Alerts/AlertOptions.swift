import ArgumentParser
import Core
import Places
import Records

/// What an alert waits for, besides its name and its kind.
struct AlertOptions: ParsableArguments {
  @Option(help: "Name or UUID (or its first digits) of the place.") var place: String?
  @Option(help: "All places with this tag.") var tag: String?
  @Flag(inversion: .prefixedNo, help: "Only places that the board's person follows.")
  var followed: Bool?
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Minimum stay, for dwell.", valueName: "minutes"))
  var stay: Double?
  @Option(help: ArgumentHelp("Distance from the place, for near.", valueName: "m")) var within:
    Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Radius of the circle, for \(AlertKind.words(where: \.needsArming)).", valueName: "m"))
  var radius: Double?
  @Option(help: ArgumentHelp("Time allowed outside the circle, for anchor.", valueName: "s"))
  var grace: Double?
  @Option(help: ArgumentHelp("Ignore locations less accurate than this.", valueName: "m"))
  var accuracy: Double?
  @OptionGroup var hours: AlertHours
  @Flag(inversion: .prefixedNo, help: "Raise it only once.") var once: Bool?
  @Option(
    help: ArgumentHelp(
      "Minimum time between two notices for the same place. Default: "
        + "\(Int(AlertLimits.resendPause.value / 60)) minutes; for "
        + "\(AlertKind.words(where: \.resendsAtOnce)) 0.",
      valueName: "minutes"))
  var pause: Double?
  @Option(
    help: ArgumentHelp(
      "How it is armed, for \(AlertKind.words(where: \.needsArming)): hand, schedule or ignition."))
  var armedBy: AlertArming?

  func validate() throws {
    guard place == nil || tag == nil else {
      throw ValidationError("use only one of --place and --tag")
    }
  }

  /// - Throws: for an option that the kind does not have.
  func check(for kind: AlertKind) throws {
    let guards = Set(AlertKind.allCases.filter(\.needsArming))
    let places = Set(AlertKind.allCases.filter(\.watchesPlaces))
    let deadlines = Set(AlertKind.allCases.filter(\.hasDeadline))
    let options: [(name: String, isGiven: Bool, kinds: Set<AlertKind>)] = [
      ("--place", place != nil, places), ("--tag", tag != nil, places),
      ("--followed", followed == true, places), ("--for", stay != nil, [.dwell]),
      ("--within", within != nil, [.near]), ("--radius", radius != nil, guards),
      ("--grace", grace != nil, guards), ("--by", hours.by != nil, deadlines),
      ("--armed-by", armedBy != nil, guards),
    ]
    for option in options where option.isGiven && !option.kinds.contains(kind) {
      let kinds = option.kinds.map(\.rawValue).sorted().joined(separator: ", ")
      throw ValidationError("\(option.name) is only for \(kinds), not for \(kind.rawValue)")
    }
  }

  /// Puts what is given into an alert; the rest of it stays.
  func apply(to row: inout StoredAlert, places: () throws -> PlaceTable) throws {
    if let place {
      row.place = try places().place(place).id.description
      row.tag = nil
    }
    if let tag {
      row.tag = tag
      row.place = nil
    }
    if let stay { row.stay = Seconds(stay * 60) }
    if let within { row.distance = Metres(within) }
    if let radius { row.radius = Metres(radius) }
    if let grace { row.grace = Seconds(grace) }
    if let accuracy { row.accuracy = Metres(accuracy) }
    if let calendar = hours.calendar { row.schedule = calendar }
    if let once { row.isOnce = once }
    if let pause { row.resendPause = Seconds(pause * 60) }
    if let armedBy { row.armedBy = armedBy.rawValue }
    if let followed { row.isFollowed = followed ? true : nil }
  }
}

extension StoredAlert {
  /// - Throws: what is wrong with it, in words for the command line.
  func requireValid() throws(CommandError) {
    let zones = SystemTimeZones()
    do throws(AlertError) {
      _ = try Alert(self, local: zones.local, zones: zones.zone)
    } catch {
      throw .wrongUsage(error.description)
    }
  }
}

extension AlertKind: ExpressibleByArgument {}
extension AlertArming: ExpressibleByArgument {}
