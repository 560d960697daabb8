import Ports
import ArgumentParser
import Core
import Places
import Runtime

/// `godwit places navigate`: shows the way to a place.
struct PlacesNavigateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "navigate", abstract: "Show distance, direction and time to a place.",
    discussion: """
      The arrow is relative to the board's direction of travel, or to north while it is at rest. \
      --follow prints a line with every fix, until Ctrl-C; it wakes no device.
      """)

  @Argument(help: "Name or UUID (or its first digits) of the place.") var place: String
  @Option(
    help: ArgumentHelp("Starting position. Default: the board's.", valueName: "lat,lon"),
    transform: PositionOption.read)
  var at: PositionOption?
  @Flag(help: "Navigate to the place after this one, as in a tour.") var next = false
  @Flag(help: "Continue with every fix of the daemon.") var follow = false
  @OptionGroup var board: BoardOptions

  /// The counterpart of the beacon ids of next places in Chughtai 2015, section 4.3.3.
  private static let nextKind = "next"

  func validate() throws {
    guard follow, at != nil else { return }
    throw ValidationError("--follow uses the board's position: remove --at")
  }

  func run() throws {
    let place = try destination()
    guard follow else {
      let target = try target(place)
      let sighting = try at.map { LastKnownPosition(given: $0.position) } ?? board.sighting()
      return try show(sighting, to: place, at: target)
    }
    _ = try target(place)
    guard let path = board.socketPath else {
      throw CommandError.failed("the settings cannot be read: use --socket")
    }
    do {
      try ControlClient.follow(path: path) { news in
        guard let sighting = LastKnownPosition(news["fix"] ?? news["status"]?["fix"]) else {
          return
        }
        // Queried again, because a device may have moved.
        try show(sighting, to: place, at: target(place))
      }
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    }
  }

  private func target(_ place: Place) throws -> Coordinate {
    var devices = board.devices
    guard let position = devices.position(of: place) else {
      throw CommandError.failed(
        "\(TerminalText.line(place.name)) moves with a device whose position is unknown here: "
          + "report it with `godwit places device`")
    }
    return position
  }

  private func destination() throws -> Place {
    let table = try board.store.places()
    let place = try table.place(place)
    guard next else { return place }
    let targets = place.relationships.filter { $0.kind == Self.nextKind }.map(\.target)
    guard let target = targets.first else {
      throw CommandError.failed(
        "no place is next after \(TerminalText.line(place.name)): set one with `godwit places edit "
          + "--relationship next=PLACE`")
    }
    return try table.place(target.description)
  }

  private func show(_ sighting: LastKnownPosition, to place: Place, at target: Coordinate) throws {
    let edge = place.region(devicePosition: target).map {
      $0.signedDistance(from: sighting.position)
    }
    try OutputBytes.print(sighting.directions(to: place.name, at: target, edge: edge))
  }
}
