import Delivery
import Outbox
import Platform
import Ports

/// The outbox for commands that look at it: they make none.
enum UplinkOutbox {
  static func open(_ settings: UplinkSettings) throws -> OutboxFile {
    guard FileStatus(path: settings.path) != nil else {
      throw CommandError.failed(
        "there is no outbox \(settings.path); it is made by the first run of godwit uplink")
    }
    do throws(OutboxError) {
      return try OutboxFile(path: settings.path)
    } catch {
      throw CommandError.failed(error.message)
    }
  }
}
