import Delivery
import Core
import Records

/// How long a record may wait before the uplink sends it, counted from its creation.
public struct UplinkDelays: Hashable, Sendable {
  let usual: Seconds
  /// The delay for crossings of places and alerts.
  let alert: Seconds

  init(usual: Seconds, alert: Seconds) {
    self.usual = usual
    self.alert = min(usual, alert)
  }

  public init(_ uplink: UplinkSettings.DaemonPart) {
    self.init(usual: uplink.delay, alert: uplink.alertDelay)
  }

  /// Nil: such a record is not sent.
  func delay(of record: Record) -> Seconds? {
    switch record {
    case .crossing, .notice: alert
    case .trackPoint, .visit: usual
    default: nil
    }
  }
}
