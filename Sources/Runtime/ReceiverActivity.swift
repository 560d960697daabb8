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
  init(_ wanted: GnssActivity, _ receiver: ReceiverPowerState, before: GnssState) {
    heard = wanted.isStillPowered ? .off : wanted.state
    drawn = Self.drawn(wanted, receiver, before: before)
  }

  private static func drawn(
    _ wanted: GnssActivity, _ receiver: ReceiverPowerState, before: GnssState
  ) -> GnssState {
    switch wanted.state {
    case .acquiring, .tracking: return wanted.state
    // While one that is no longer wanted still saves its navigation data, it draws what it did.
    case .off, .coarse, .sleeping:
      if receiver.isAwake { return before == .tracking ? .tracking : .acquiring }
    }
    if wanted.state == .off { return wanted.isAskingCoarse ? .coarse : .off }
    // One that could not be put to sleep may have been cut off.
    return receiver == .off ? .off : wanted.state
  }
}
