import ArgumentParser
import Messaging
import Core

/// `godwit meetings add`: creates a meeting.
struct MeetingsAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Announce a meeting.",
    discussion: """
      Invited people within --radius metres, by default 1000, find it from its start to its end. \
      At a place that is an area, they find it within that area. With --between and \
      --on it is repeated from its start to its end, and found at these times only.
      """)

  @Argument(help: "Name of the meeting.") var name: String
  @OptionGroup var spot: LocationOptions
  @Option(help: LocalTime.help("Start of the meeting."), transform: LocalTime.read) var from:
    LocalTime
  @Option(help: LocalTime.help("End of the meeting."), transform: LocalTime.read) var to: LocalTime
  @OptionGroup var hours: WeeklyHours
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Radius within which it can be found, in metres.", valueName: "m"))
  var radius: Double?
  @Option(
    help: ArgumentHelp(
      "Invited people: \(PeopleNames.help). Default: everybody.", valueName: "people"))
  var invite: String?
  @Option(help: "Description of the meeting.") var description: String?
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard spot.isGiven else {
      throw ValidationError("specify the position with one of --place and --at")
    }
  }

  func run() throws {
    guard let spot = try spot.spot(store) else { return }
    let region = try spot.meetingRegion(radius: radius)
    let id = UniqueID.new
    let table = try store.perform { table in
      try table.checkIsAhead(to, "--to")
      let invited = try table.names.addressees(invite)
      let schedule = try hours.read()
      let meeting = try CommandError.usage { () throws(MessageError) in
        try Meeting(
          id: id, organizer: table.me, name: name, description: description ?? "",
          spot: spot.position, region: region, starts: from.instant, ends: to.instant,
          schedule: schedule, invited: invited)
      }
      try meeting.checkTakesPlace()
      return PeopleAction(.organized(meeting), of: id)
    }
    try OutputBytes.print("\(id)")
    table.warnWithoutBroker()
  }
}

/// `godwit meetings edit`: changes the given properties.
struct MeetingsEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a meeting of yours; its participants are notified.")

  @Argument(help: "Name or id (or its first digits) of the meeting.") var meeting: String
  @Option(help: "New name.") var name: String?
  @OptionGroup var spot: LocationOptions
  @Option(help: LocalTime.help("Start of the meeting."), transform: LocalTime.read) var from:
    LocalTime?
  @Option(help: LocalTime.help("End of the meeting."), transform: LocalTime.read) var to: LocalTime?
  @OptionGroup var hours: WeeklyHours
  @Flag(help: "Remove the days and times of day: it lasts from its start to its end.")
  var always = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Radius within which it can be found, in metres.", valueName: "m"))
  var radius: Double?
  @Option(help: ArgumentHelp("Invited people: \(PeopleNames.help).", valueName: "people"))
  var invite: String?
  @Option(help: "Description of the meeting.") var description: String?
  @OptionGroup var store: StoreOptions

  func validate() throws { try hours.validate(removed: always) }

  func run() throws {
    let spot = try spot.spot(store)
    try store.perform { table in
      let meeting = try table.heldMeeting(meeting)
      try table.checkIsAhead(to, "--to")
      let invited = try invite.map { try table.names.addressees($0) }
      let schedule = try hours.read()
      let changed = try CommandError.usage {
        [region = try region(of: meeting, spot)]
        () throws(MessageError) in
        try meeting.revised(
          name: name, description: description, spot: spot?.position, region: region,
          starts: from?.instant, ends: to?.instant,
          schedule: always ? .some(nil) : schedule.map { $0 }, invited: invited)
      }
      let unchanged = try CommandError.usage { () throws(MessageError) in
        try meeting.revised()
      }
      guard changed != unchanged else {
        throw CommandError.wrongUsage(
          "no option changes \(TerminalText.line(meeting.name))")
      }
      try changed.checkTakesPlace()
      return PeopleAction(.organized(changed), of: meeting.id)
    }
  }

  /// A moved meeting keeps the size of its region.
  private func region(
    of meeting: Meeting, _ spot: SpecifiedLocation?
  ) throws(CommandError) -> MeetingRegion? {
    guard spot != nil || radius != nil else { return nil }
    var size = radius
    if size == nil, case .circle(let radius) = meeting.region.perimeter { size = radius.value }
    return try (spot ?? SpecifiedLocation(meeting.spot)).meetingRegion(
      radius: spot?.polygons == nil ? size : radius)
  }
}

extension SpecifiedLocation {
  private static let radius = 1000.0

  /// - Parameter radius: the given radius; nil: none was given.
  fileprivate func meetingRegion(radius: Double?) throws(CommandError) -> MeetingRegion {
    try CommandError.usage { () throws(MessageError) in
      if radius == nil, let polygons { return try MeetingRegion(polygons) }
      return try MeetingRegion(around: position, radius: Metres(radius ?? Self.radius))
    }
  }
}

extension Meeting {
  fileprivate func checkTakesPlace() throws(CommandError) {
    guard let schedule, !schedule.isOn(at: starts) else { return }
    guard let next = schedule.next(after: starts), next.begin < ends else {
      throw .wrongUsage("it never takes place: none of its times is between --from and --to")
    }
  }

  /// The next revision, with the given properties.
  /// - Parameter schedule: nil: unchanged; .some(nil): none.
  func revised(
    name: String? = nil, description: String? = nil, spot: Coordinate? = nil,
    region: MeetingRegion? = nil, starts: UTCInstant? = nil, ends: UTCInstant? = nil,
    schedule: Schedule?? = nil, invited: Addressees? = nil, isCancelled: Bool? = nil
  ) throws(MessageError) -> Meeting {
    try Meeting(
      id: id, revision: revision + 1, organizer: organizer, name: name ?? self.name,
      description: description ?? self.description, spot: spot ?? self.spot,
      region: region ?? self.region, starts: starts ?? self.starts, ends: ends ?? self.ends,
      schedule: schedule ?? self.schedule, invited: invited ?? self.invited,
      isCancelled: isCancelled ?? self.isCancelled)
  }
}
