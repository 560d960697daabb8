import Core
import Records

/// What the board was found out to do, for those that record it.
enum MotionEvent: Hashable, Sendable {
  /// It came to rest then, no farther than that from where it was located last. `by`: nor later
  /// than that.
  case arrived(BootInstant, within: Metres, by: BootInstant)
  /// It has not moved until then since it came, or was located, last. Watched: something would have
  /// told if it had.
  case rested(until: BootInstant, isWatched: Bool)
  /// It was there at that moment, which was felt: it came to rest, or left.
  case placed(Location, at: BootInstant)
}

/// A rest of which everything is known but its place.
struct UnlocatedRest: Hashable, Sendable {
  var since: BootInstant
  /// Until when it is known to have lasted; nil: until now.
  var until: BootInstant?
  /// How far from there the next location may be.
  var radius: Metres = 0
}
