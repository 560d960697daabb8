import Records

/// What the tracker has GNSS do. Kept by value beside the tracker, which is large: it is asked for
/// with every byte of a receiver.
public struct GnssActivity: Hashable, Sendable {
  /// What GNSS is doing, as far as its switch obeys; one that could not be switched off goes on
  /// searching. What the receiver is really doing takes the power sequencer to tell.
  public private(set) var state: GnssState
  /// Whether nobody listens to the receiver, and nothing can be done about its drawing current.
  public private(set) var isStillPowered: Bool
  /// Whether an answer of a coarse source is waited for.
  public private(set) var isAskingCoarse: Bool

  init(_ search: GnssSearch, _ lowPower: LowPowerPlanner, _ coarse: CoarseTracking) {
    state = search.state ?? lowPower.state
    isStillPowered = !search.isOn && lowPower.isStillPowered
    isAskingCoarse = coarse.isAsking
  }
}
