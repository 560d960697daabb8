import ArgumentParser
import Places
import Core
import Runtime

/// `godwit places device`: reports the position of a tracked device to the daemon.
struct PlacesDeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Report the position of a tracked device.",
    discussion: """
      Places that follow the device move there. For scripts that receive positions of devices by \
      any means: a tracker's server, APRS, a mesh. The position is lost when the daemon ends.
      """)

  @Argument(help: "Name of the device, as in --follows.") var name: String
  @Option(
    help: ArgumentHelp("Position in degrees.", valueName: "lat,lon"),
    transform: PositionOption.read)
  var at: PositionOption
  @OptionGroup var control: ControlOptions

  func run() throws {
    _ = try control.query(.device(name, at.position))
  }
}
