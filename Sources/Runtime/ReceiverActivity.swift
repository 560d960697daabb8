import PowerControl
import Records
import Tracking

/// What the receiver is doing: the one answer for everybody who asks.
///
/// The tracker knows what it asked for and whether there is a fix, the power sequencer how far the
/// receiver has come on the way there. Here, and only here, the two are put together.
public struct ReceiverActivity: Hashable, Sendable {
  /// The state whose current flows; energy is put down to it.
  public let drawn: GnssState
  /// The state for those who want to know where they are: a receiver that nothing can switch is as
  /// good as off while nobody listens, although it draws its current.
  public let heard: GnssState

  /// - Parameter before: the state whose current has flowed so far.
  init(_ tracker: Tracker, _ receiver: ReceiverPowerState, before: GnssState) {
    heard = tracker.isStillPowered ? .off : tracker.gnssState
    drawn = Self.drawn(tracker, receiver, before: before)
  }

  private static func drawn(
    _ tracker: Tracker, _ receiver: ReceiverPowerState, before: GnssState
  ) -> GnssState {
    switch tracker.gnssState {
    case .acquiring, .tracking: return tracker.gnssState
    // While one that is no longer wanted still saves its navigation data, it draws what it did.
    case .off, .coarse, .sleeping:
      if receiver.isAwake { return before == .tracking ? .tracking : .acquiring }
    }
    if tracker.gnssState == .off { return tracker.isAskingCoarse ? .coarse : .off }
    // One that could not be put to sleep may have been cut off.
    return receiver == .off ? .off : tracker.gnssState
  }
}
