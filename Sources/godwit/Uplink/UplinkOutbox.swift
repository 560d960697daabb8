import Delivery
import Store
import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The outbox for commands other than the uplink's runs.
enum UplinkOutbox {
  /// Opens an existing outbox.
  static func open(_ settings: UplinkSettings) throws -> OutboxFile {
    guard FileStatus(path: settings.path) != nil else {
      throw CommandError.failed(
        "there is no outbox \(settings.path); the first run of godwit uplink creates it")
    }
    return try openOrMake(settings)
  }

  /// Works even before the first run of the service.
  static func openOrMake(_ settings: UplinkSettings) throws -> OutboxFile {
    makeFolder(settings)
    do throws(PortError) {
      return try OutboxFile(path: settings.path)
    } catch {
      throw CommandError.failed(error.message)
    }
  }

  /// Creates a missing folder; opening the outbox reports any error. When the service runs, systemd
  /// gives it the folder with its content (StateDirectory=).
  static func makeFolder(_ settings: UplinkSettings) {
    mkdir(PathParts(settings.path).folder, 0o700)
  }

  /// For people: a run that was cut off.
  static func text(ofRunSince begun: UTCInstant) -> String {
    "the run of \(LocalTime.text(begun)) did not record its end in the outbox: a signal or a "
      + "power cut ended it, or the outbox was locked or full; no waiting message is lost; see "
      + "journalctl -u godwit-uplink.service"
  }
}
