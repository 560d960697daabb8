import ArgumentParser
import Core
import Messaging
import Records

/// `godwit groups position`: reports a position that this board's receiver does not know.
struct GroupsPositionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "position", abstract: "Report your position to a group.",
    discussion: """
      A board with a receiver does that by itself. Use this command in a script where the position \
      comes from elsewhere, such as a phone, a tracker's server, APRS or a mesh. Within half of \
      the group's --ask-every a new position is ignored.
      """)

  @Argument(help: "Name or id (or its first digits) of the group.") var group: String
  @Option(
    help: ArgumentHelp("Latitude and longitude in degrees.", valueName: "lat,lon"),
    transform: PositionOption.read)
  var at: PositionOption
  @Option(
    help: ArgumentHelp(
      "Radius that contains you with a probability of 68 %, in metres.", valueName: "m"))
  var accuracy = 10.0
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard (0...10_000).contains(accuracy) else {
      throw ValidationError("--accuracy \(accuracy): use 0 to 10000 metres")
    }
  }

  func run() throws {
    try store.perform { table in
      let group = try table.group(group).group
      guard let date = table.date else {
        throw CommandError.failed("the clock of this board is not set: set it, then try again")
      }
      let location = Location(time: date, position: at.position, accuracy: Metres(accuracy))
      return PeopleAction(.positioned(location, in: group.id), of: group.id)
    }
  }
}
