import Delivery
import Ports
import Core
import Records
import Runtime

/// The board's last location: the daemon's newest fix, or the last point of the store if that is
/// newer or no daemon runs. Points are stored rarely, and committed even later.
struct PresentLocation {
  let point: TrackPoint
  let age: Seconds
  /// Whether it is in the store, and so among the records sent from there.
  let isStored: Bool

  /// Nil: no location is known.
  init?(
    _ history: (any HistoryPort)?, _ daemon: (any DaemonPort)?, at now: UTCInstant
  ) throws(PortError) {
    let stored = try history?.lastTrackPoint()
    let status = (try? daemon?.query(ControlRequest.status.json)).map(BoardStatus.init)
    if let status, let fix = status.point,
      stored.map({ $0.location.time < fix.location.time }) ?? true
    {
      point = fix
      age = status.fixAge ?? max(now - fix.location.time, 0)
      isStored = false
    } else if let stored {
      point = stored
      age = max(now - stored.location.time, 0)
      isStored = true
    } else {
      return nil
    }
  }

  /// The location as it may leave the board; nil: it may not.
  func released(by privacy: PrivacyFilter?) -> TrackPoint? {
    privacy?.released(point) as? TrackPoint
  }
}
