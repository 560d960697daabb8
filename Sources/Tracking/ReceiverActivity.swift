import Records

/// The receiver's activity, for all uses.
///
/// The power sequencer reports the transitions to on, sleep and off; `GnssSearch` reports whether a
/// session has a fix. This is a separate small value because it is read for every byte of a
/// receiver, and the tracker is large.
public struct ReceiverActivity: Hashable, Sendable {
  private var receiver = ReceiverPowerState.unknown
  /// Whether it was powered when its state was last known.
  private var isPowered = false
  /// The state of the present session; nil: there is none.
  private var session: GnssState?
  /// Its state when last awake, which continues while it stays awake.
  private var awake = GnssState.acquiring
  private var isAskingCoarse = false
  /// Whether it cannot be switched off or put to sleep.
  private var isAlwaysOn = false

  // MARK: The resulting state

  /// The state that determines the current; energy is accounted to it.
  public var energyState: GnssState {
    if let session { return session }
    if isStillAwake || isAlwaysOn { return awake }
    return isAsleep ? .sleeping : isAskingCoarse ? .coarse : .off
  }

  /// The state as a source of position: a receiver in transition to low power, or one that cannot
  /// be switched, counts as off although it draws its current.
  public var positioningState: GnssState {
    if let session { return session }
    if isAsleep { return .sleeping }
    return isOutOfControl ? awake : .off
  }

  private var isAsleep: Bool { receiver == .asleep || receiver == .fallingAsleep }

  /// Whether a failed line or command has left it powered in its former state. Nothing drains a
  /// battery faster than a receiver that is not accounted for.
  private var isOutOfControl: Bool { receiver == .unknown && isPowered }

  private var isStillAwake: Bool { receiver.isAwake || receiver == .ignored || isOutOfControl }

  // MARK: Events

  /// Receives a state from the power sequencer.
  mutating func reached(_ state: ReceiverPowerState) {
    receiver = state
    guard state != .unknown else { return }
    isPowered = state != .off && state != .powerCycling
    // Any earlier fix is lost; it has to search again.
    if !isStillAwake { awake = .acquiring }
  }

  /// Called at the end of a step, and before a session is closed: the receiver stays in the state
  /// that it has then.
  mutating func update(_ search: GnssSearch, _ coarse: CoarseTracking, isAlwaysOn: Bool = false) {
    self.isAlwaysOn = isAlwaysOn
    session = search.state
    awake = session ?? awake
    isAskingCoarse = coarse.isQueryPending
  }
}
