import Delivery
import Outbox
import Platform
import Ports

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

  static func openOrMake(_ settings: UplinkSettings) throws -> OutboxFile {
    do throws(OutboxError) {
      return try OutboxFile(path: settings.path)
    } catch {
      throw CommandError.failed(error.message)
    }
  }
}
