import ArgumentParser
import Messaging
import Core

/// The properties of a group. A property that is not given stays unchanged.
struct GroupOptions: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("People who may join: \(PeopleNames.help).", valueName: "people"))
  var people: String?
  @Option(help: LocalTime.help("End of the group."), transform: LocalTime.read)
  var ends: LocalTime?
  @OptionGroup var hours: WeeklyHours
  @Option(
    help: ArgumentHelp("Interval of position requests, in seconds.", valueName: "s"))
  var askEvery: Double?
  @Option(
    help: ArgumentHelp("Maximum age of a position, in seconds.", valueName: "s"))
  var oldest: Double?
  @Option(help: "Description for people who consider joining.")
  var description: String?
}

/// `godwit groups add`: creates a group, with the owner as its guide.
struct GroupsAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Start a group with you as its guide.",
    discussion: """
      Without --for, everybody nearby finds the group and may join it. People named by --for find \
      it wherever they are. Outside --between and --on, no positions are requested and nothing is \
      reported. By default, positions are requested every 120 s and are too old after \
      600 s.
      """)

  @Argument(help: "Name of the group.") var name: String
  @Option(help: ArgumentHelp("Maximum distance of members from you, in metres.", valueName: "m"))
  var range: Double
  @OptionGroup var options: GroupOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let id = UniqueID.new
    let table = try store.perform { table in
      let allowed = try table.names.addressees(options.people)
      let schedule = try options.hours.read()
      let group = try CommandError.usage { () throws(MessageError) in
        try Group(
          id: id, name: name, description: options.description ?? "", guide: table.me,
          range: Metres(range), allowed: allowed, ends: options.ends?.instant,
          schedule: schedule, oldest: Seconds(options.oldest ?? 600),
          pause: Seconds(options.askEvery ?? 120))
      }
      try table.checkIsFree(name)
      try table.checkIsAhead(options.ends, "--ends")
      return PeopleAction(.guided(group), of: id)
    }
    try OutputBytes.print("\(id)")
    table.warnWithoutBroker()
  }
}

/// `godwit groups edit`: changes the given properties.
struct GroupsEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a group that you guide.",
    discussion: "A member who is no longer allowed leaves the group.")

  @Argument(help: "Name or id (or its first digits) of the group.") var group: String
  @Option(help: "New name.") var name: String?
  @Option(help: ArgumentHelp("Maximum distance of members from you, in metres.", valueName: "m"))
  var range: Double?
  @OptionGroup var options: GroupOptions
  @Flag(help: "Remove the end: the group lasts until you end it.") var endless = false
  @Flag(help: "Remove the days and times of day: members are watched all the time.")
  var always = false
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard !endless || options.ends == nil else {
      throw ValidationError("use only one of --ends and --endless")
    }
    try options.hours.validate(removed: always)
  }

  func run() throws {
    try store.perform { table in
      let group = try table.guidedGroup(group)
      let allowed = try options.people.map { try table.names.addressees($0) }
      let schedule = try options.hours.read()
      let changed = try CommandError.usage { () throws(MessageError) in
        try group.revised(
          name: name, description: options.description, range: range.map { Metres($0) },
          allowed: allowed, ends: endless ? .some(nil) : options.ends.map { $0.instant },
          schedule: always ? .some(nil) : schedule.map { $0 },
          oldest: options.oldest.map { Seconds($0) }, pause: options.askEvery.map { Seconds($0) })
      }
      let unchanged = try CommandError.usage { () throws(MessageError) in try group.revised() }
      guard changed != unchanged else {
        throw CommandError.wrongUsage(
          "no option changes \(TerminalText.line(group.name))")
      }
      if let name { try table.checkIsFree(name, for: group.id) }
      try table.checkIsAhead(options.ends, "--ends")
      return PeopleAction(.guided(changed), of: group.id)
    }
  }
}

extension Group {
  /// The next revision, with the given properties.
  /// - Parameters:
  ///   - ends: nil: unchanged; .some(nil): no end.
  ///   - schedule: likewise.
  func revised(
    name: String? = nil, description: String? = nil, range: Metres? = nil,
    allowed: Addressees? = nil, ends: UTCInstant?? = nil,
    schedule: Schedule?? = nil, oldest: Seconds? = nil, pause: Seconds? = nil
  ) throws(MessageError) -> Group {
    try Group(
      id: id, revision: revision + 1, name: name ?? self.name,
      description: description ?? self.description, guide: guide, range: range ?? self.range,
      allowed: allowed ?? self.allowed, ends: ends ?? self.ends,
      schedule: schedule ?? self.schedule, oldest: oldest ?? self.oldest,
      pause: pause ?? self.pause)
  }
}

extension PeopleTable {
  /// Two groups of one guide must not have the same name, because commands refer to them by name.
  /// - Parameter id: the group that is to have the name; nil: a new one.
  fileprivate func checkIsFree(_ name: String, for id: UniqueID? = nil) throws(CommandError) {
    let key = name.lowercased()
    let isTaken = messaging.groupStates.contains { state in
      state.group.guide == me && state.group.id != id && state.group.name.lowercased() == key
    }
    guard isTaken else { return }
    throw .failed(
      "you guide a group \(TerminalText.line(name)) already: choose another name, or end that one")
  }
}
