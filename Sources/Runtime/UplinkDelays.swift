import Delivery
import Core
import Records

/// How long what was recorded may wait before the uplink sends it, counted from the moment at which
/// it came about.
public struct UplinkDelays: Hashable, Sendable {
  let usual: Seconds
  /// Of crossings of places and alerts.
  let alert: Seconds

  public init(usual: Seconds, alert: Seconds) {
    self.usual = usual
    self.alert = min(usual, alert)
  }

  public init(_ uplink: UplinkSettings.DaemonPart) {
    self.init(usual: uplink.delay, alert: uplink.alertDelay)
  }

  /// Nil: nobody waits for such a record.
  func delay(of record: Record) -> Seconds? {
    switch record {
    case .crossing, .notice: alert
    case .trackPoint, .visit: usual
    default: nil
    }
  }
}
