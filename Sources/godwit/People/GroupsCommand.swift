import ArgumentParser
import Messaging
import Core

/// `godwit groups`: groups of people who travel together.
struct GroupsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "groups", abstract: "Travel in a group, and notice members who fall behind.",
    discussion: """
      A group is a circle that moves with its guide. All members are notified when a member falls \
      behind or sends no position, and when the guide sends none. Groups need the broker of \
      [uplink.mqtt]; see docs/manual/letters-groups-meetings.md.
      """,
    subcommands: [
      GroupsListCommand.self, GroupsShowCommand.self, GroupsAddCommand.self,
      GroupsEditCommand.self, GroupsRemoveCommand.self, GroupsJoinCommand.self,
      GroupsLeaveCommand.self, GroupsPositionCommand.self,
    ], defaultSubcommand: GroupsListCommand.self)
}

/// `godwit groups list`: the known groups.
struct GroupsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the groups that you guide, have joined, or can join.")

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let table = try store.people()
    var listing = Listing(json: json, ListedGroup.columns, fitsRows: true)
    for state in table.messaging.foundGroups { try listing.add(ListedGroup(state, table)) }
    try listing.finish()
  }
}

/// `godwit groups show`: a group and its members.
struct GroupsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a group, and the distances of its members from the guide.")

  @Argument(help: "Name or id (or its first digits) of the group.") var group: String
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let table = try store.people()
    let group = ListedGroup(try table.group(group), table)
    let members = ListedMember.all(of: group.state, table)
    guard json else {
      try OutputBytes.print(group.page)
      var listing = Listing(.table, ListedMember.columns, fitsRows: true)
      for member in members { try listing.add(member) }
      return try listing.finish()
    }
    var writer = JSONWriter()
    writer.object { json in
      json.key("group")
      ListedGroup.columns.append(group, to: &json)
      json.array("members") { json in
        for member in members { ListedMember.columns.append(member, to: &json) }
      }
    }
    try OutputBytes.print(String(decoding: writer.bytes, as: UTF8.self))
  }
}

/// `godwit groups remove`: ends a group for all members.
struct GroupsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "End a group that you guide.")

  @Argument(help: "Name or id (or its first digits) of the group.") var group: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.perform { table in
      let group = try table.guidedGroup(group)
      // If the date is unknown here, the group ends for members that know the date.
      let ended = try CommandError.usage { () throws(MessageError) in
        try group.revised(ends: table.date ?? MessageCheck.firstDate)
      }
      return PeopleAction(.guided(ended), of: group.id)
    }
  }
}

/// `godwit groups join`: joins a group.
struct GroupsJoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a group.",
    discussion: """
      The board then sends its position to the group whenever the group requests it, but never \
      from private areas of the uplink or during its pauses.
      """)

  @Argument(help: "Name or id (or its first digits) of the group.") var group: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.perform { table in
      let group = try table.group(group).group
      let name = TerminalText.line(group.name)
      guard group.guide != table.me else {
        throw CommandError.failed("\(name) is yours: you are a member already")
      }
      guard !table.messaging.isInGroup(group.id) else {
        throw CommandError.failed("you have joined \(name) already")
      }
      return PeopleAction(.joined(group.id), of: group.id)
    }
  }
}

/// `godwit groups leave`: leaves a group.
struct GroupsLeaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Leave a group.")

  @Argument(help: "Name or id (or its first digits) of the group.") var group: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.perform { table in
      let group = try table.group(group).group
      let name = TerminalText.line(group.name)
      guard group.guide != table.me else {
        throw CommandError.failed("\(name) is yours: end it with `godwit groups remove`")
      }
      guard table.messaging.isInGroup(group.id) else {
        throw CommandError.failed("you have not joined \(name)")
      }
      return PeopleAction(.left(group.id), of: group.id)
    }
  }
}

extension PeopleTable {
  func group(_ words: String) throws(CommandError) -> GroupState {
    var things = NamedItems<GroupState>("group", listedBy: "godwit groups")
    for state in messaging.groupStates { things.add(state, state.group.id, name: state.group.name) }
    return try things.one(words)
  }

  /// A group that the owner may change.
  func guidedGroup(_ words: String) throws(CommandError) -> Group {
    let group = try group(words).group
    guard group.guide == me else {
      let guide = TerminalText.line(names.text(of: group.guide))
      throw .failed(
        "\(TerminalText.line(group.name)) is guided by \(guide): only its guide can change it")
    }
    return group
  }
}
