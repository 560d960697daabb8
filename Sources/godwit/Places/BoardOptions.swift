import ArgumentParser
import Places
import Ports
import Records
import Runtime
import Store

/// Options for the store and the board's position: that of a running daemon, else that of the
/// store.
struct BoardOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp("Control socket, overrides control.socket.", valueName: "path"))
  var socket: String?

  /// - Throws: if the board's position is unknown.
  func sighting() throws -> LastKnownPosition {
    if let path = socketPath,
      let status = try? ControlClient.query(
        ControlRequest.status.json, path: path), let sighting = LastKnownPosition(status["fix"])
    {
      return sighting
    }
    var last: TrackPoint?
    try store.read { last = try $0.lastTrackPoint() }
    guard let last else {
      throw CommandError.failed(
        "the board's position is unknown: no daemon has a position, and the store has no track; "
          + "use --at LAT,LON")
    }
    return LastKnownPosition(last)
  }

  /// Nil if the settings cannot be read.
  var socketPath: String? {
    socket ?? (try? store.configuration.load().settings.control.socket)
  }
}
