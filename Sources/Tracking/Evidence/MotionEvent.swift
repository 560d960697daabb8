import Core
import Records

/// What was detected about the board's motion, for recording.
enum MotionEvent: Hashable, Sendable {
  /// It came to rest then, at most that far from its last location, and no later than `by`.
  /// `isSensed`: and no earlier, by a sensor.
  case arrived(BootInstant, within: Metres, by: BootInstant, isSensed: Bool)
  /// It has not moved until then since its arrival or its last location. `isMonitored`: movement
  /// would have been detected, after at most the delay.
  case rested(until: BootInstant, isMonitored: Bool, delay: Seconds)
  /// It was there when a sensor reported rest or departure.
  case placed(Location, at: BootInstant)
}

/// A rest with a known time and an unknown place.
struct UnlocatedRest: Hashable, Sendable {
  var since: BootInstant
  /// When it began at the latest, if a sensor detected it.
  var sensedBy: BootInstant?
  /// Until when it is known to have lasted; nil: until now.
  var until: BootInstant?
  /// How far away the next location may be.
  var radius: Metres = 0
}
