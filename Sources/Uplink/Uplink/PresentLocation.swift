import Delivery
import Ports
import Core
import Records
import Runtime

/// Where the board was last: the daemon's newest fix, or the last point of the store where that is
/// newer, or no daemon runs. Points are stored seldom, and are committed later still.
struct PresentLocation {
  let point: TrackPoint
  let age: Seconds
  /// Whether it is in the store, and so in what is sent from there.
  let isStored: Bool

  /// Nil: nobody knows.
  init?(
    _ history: (any HistoryPort)?, _ daemon: (any DaemonPort)?, at now: UTCInstant
  ) throws(PortError) {
    let stored = try history?.lastTrackPoint()
    let status = (try? daemon?.ask(ControlRequest.status.json)).map(BoardStatus.init)
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

  /// As it may leave; nil: it may not.
  func released(by privacy: PrivacyFilter?) -> TrackPoint? {
    privacy?.released(point) as? TrackPoint
  }
}
