import Platform
import Core
import Uplink

/// The present date for dated entries: records have the receiver's date, and a board whose clock is
/// years behind would pause a time that is long over.
enum UplinkDate {
  static func now() throws -> UTCInstant {
    let now = BootClock.systemDate
    guard CertificateTime.isPossible(now) else {
      throw CommandError.failed(
        "the system's date is not set yet (date(1)): wait until the receiver or the network has "
          + "set it")
    }
    return now
  }
}
