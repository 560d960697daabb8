import Delivery
import Store
import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The outbox for commands beside the uplink's runs.
enum UplinkOutbox {
  /// That there is already.
  static func open(_ settings: UplinkSettings) throws -> OutboxFile {
    guard FileStatus(path: settings.path) != nil else {
      throw CommandError.failed(
        "there is no outbox \(settings.path); it is made by the first run of godwit uplink")
    }
    return try openOrMake(settings)
  }

  /// Also before the service has run for the first time.
  static func openOrMake(_ settings: UplinkSettings) throws -> OutboxFile {
    makeFolder(settings)
    do throws(PortError) {
      return try OutboxFile(path: settings.path)
    } catch {
      throw CommandError.failed(error.message)
    }
  }

  /// Where there is none; why it cannot be made, the outbox in it says. When the service runs,
  /// systemd gives it the folder with what is in it (StateDirectory=).
  static func makeFolder(_ settings: UplinkSettings) {
    mkdir(PathParts(settings.path).folder, 0o700)
  }

  /// For people: a run that has not ended by itself.
  static func text(ofRunSince begun: UTCInstant) -> String {
    "the run of \(LocalTime.text(begun)) did not end by itself, or could not write so into the "
      + "outbox: a signal ended it, the power went, or the outbox was locked or full; nothing that "
      + "waited is lost, and journalctl -u godwit-uplink.service says more"
  }
}
