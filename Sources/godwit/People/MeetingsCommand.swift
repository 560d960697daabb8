import ArgumentParser
import Formats
import Messaging
import Core
import Places

/// `godwit meetings`: meetings at a spot for some time.
struct MeetingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meetings", abstract: "Announce meetings, and find and join meetings nearby.",
    discussion: """
      Invited people can see a meeting while it lasts and they are within its region; \
      participants are notified of every change. Meetings need the broker of [uplink.mqtt]; \
      see docs/manual/letters-groups-meetings.md.
      """,
    subcommands: [
      MeetingsListCommand.self, MeetingsShowCommand.self, MeetingsAddCommand.self,
      MeetingsEditCommand.self, MeetingsRemoveCommand.self, MeetingsJoinCommand.self,
      MeetingsLeaveCommand.self, MeetingsNavigateCommand.self,
    ], defaultSubcommand: MeetingsListCommand.self)
}

/// `godwit meetings list`: the visible meetings, and the owner's own.
struct MeetingsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the meetings that you organize or have joined, and those nearby.")

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let table = try store.people()
    var listing = Listing(json: json, ListedMeeting.columns, fitsRows: true)
    for record in table.meetings { try listing.add(ListedMeeting(record, table)) }
    try listing.finish()
  }
}

/// `godwit meetings show`: one meeting.
struct MeetingsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a meeting, and who is coming if it is yours.")

  @Argument(help: "Name or id (or its first digits) of the meeting.") var meeting: String
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let table = try store.people()
    let meeting = ListedMeeting(try table.meeting(meeting), table)
    guard json else { return try OutputBytes.print(meeting.page) }
    var writer = JSONWriter()
    ListedMeeting.columns.append(meeting, to: &writer)
    try OutputBytes.print(String(decoding: writer.bytes, as: UTF8.self))
  }
}

/// `godwit meetings remove`: cancels a meeting.
struct MeetingsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Cancel a meeting of yours; its participants are notified.")

  @Argument(help: "Name or id (or its first digits) of the meeting.") var meeting: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.perform { table in
      let meeting = try table.heldMeeting(meeting)
      let cancelled = try CommandError.usage { () throws(MessageError) in
        try meeting.revised(isCancelled: true)
      }
      return PeopleAction(.organized(cancelled), of: meeting.id)
    }
  }
}

/// `godwit meetings join`: joins a meeting.
struct MeetingsJoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a meeting.")

  @Argument(help: "Name or id (or its first digits) of the meeting.") var meeting: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.perform { table in
      let record = try table.meeting(meeting)
      let name = TerminalText.line(record.meeting.name)
      guard record.meeting.organizer != table.me else {
        throw CommandError.failed("\(name) is yours: you are a participant already")
      }
      guard !record.isJoined else { throw CommandError.failed("you have joined \(name) already") }
      return PeopleAction(.joined(record.meeting.id), of: record.meeting.id)
    }
  }
}

/// `godwit meetings leave`: leaves a joined meeting.
struct MeetingsLeaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Leave a meeting that you joined.")

  @Argument(help: "Name or id (or its first digits) of the meeting.") var meeting: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.perform { table in
      let id = try table.meeting(meeting).meeting.id
      return PeopleAction(.left(id), of: id)
    }
  }
}

/// `godwit meetings navigate`: shows the way to a meeting.
struct MeetingsNavigateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "navigate", abstract: "Show distance, direction and time to a meeting.",
    discussion: """
      The arrow is relative to the board's direction of travel, or to north while it is at rest.
      """)

  @Argument(help: "Name or id (or its first digits) of the meeting.") var meeting: String
  @Option(
    help: ArgumentHelp("Starting position. Default: the board's.", valueName: "lat,lon"),
    transform: PositionOption.read)
  var at: PositionOption?
  @OptionGroup var board: BoardOptions

  func run() throws {
    let meeting = try board.store.people().meeting(meeting).meeting
    let sighting = try at.map { LastKnownPosition(given: $0.position) } ?? board.sighting()
    try OutputBytes.print(sighting.directions(to: meeting.name, at: meeting.spot))
  }
}

extension PeopleTable {
  /// Nothing is shown of a meeting that is not visible, not even its existence.
  var meetings: [MeetingRecord] {
    let visible = Set(date.map { messaging.visibleMeetings(at: $0).map(\.id) } ?? [])
    return messaging.meetingRecords.filter { record in
      visible.contains(record.meeting.id)
        || !record.isOver && (record.isJoined || record.meeting.organizer == me)
    }.sorted { ($0.meeting.starts, $0.meeting.id) < ($1.meeting.starts, $1.meeting.id) }
  }

  func meeting(_ words: String) throws(CommandError) -> MeetingRecord {
    var things = NamedItems<MeetingRecord>("meeting", listedBy: "godwit meetings")
    for record in meetings { things.add(record, record.meeting.id, name: record.meeting.name) }
    return try things.one(words)
  }

  /// A meeting that the owner may change.
  func heldMeeting(_ words: String) throws(CommandError) -> Meeting {
    let meeting = try meeting(words).meeting
    guard meeting.organizer == me else {
      let organizer = TerminalText.line(names.text(of: meeting.organizer))
      throw .failed(
        "\(TerminalText.line(meeting.name)) is organized by \(organizer): only the organizer can "
          + "change it")
    }
    return meeting
  }
}
