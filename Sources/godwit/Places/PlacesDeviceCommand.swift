import ArgumentParser
import Places
import Core
import Runtime

/// `godwit places device`: reports the position of a tracked device to the daemon.
struct PlacesDeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Tell where a tracked device is.",
    discussion: """
      Places that go with it move there. For scripts that hear of devices by whatever way: a \
      tracker's server, APRS, a mesh. What is told is forgotten when the daemon ends.
      """)

  @Argument(help: "The device's name, as --follows has it.") var name: String
  @Option(
    help: ArgumentHelp("Where it is, in degrees.", valueName: "lat,lon"),
    transform: PositionOption.read)
  var at: PositionOption
  @OptionGroup var control: ControlOptions

  func run() throws {
    _ = try control.query(.device(name, at.position))
  }
}
