import Records

/// What the receiver is doing: the one answer for everybody who asks.
///
/// How far it has come on its way on, to sleep or off is told by the power sequencer, which alone
/// knows; whether it has a fix while it is wanted, by the search. Kept by value beside the tracker,
/// which is large: it is asked for with every byte of a receiver.
public struct ReceiverActivity: Hashable, Sendable {
  private var receiver = ReceiverPowerState.unknown
  /// Whether it had its supply when its state was last known.
  private var isPowered = false
  /// Of the session that runs; nil while there is none.
  private var session: GnssState?
  /// What it did when it was last awake, and does again as long as it stays so.
  private var awake = GnssState.acquiring
  private var isAskingCoarse = false
  /// Whether nothing can put it to rest.
  private var isAlwaysOn = false

  // MARK: The answers

  /// The state whose current flows; energy is put down to it.
  public var drawn: GnssState {
    if let session { return session }
    if isStillAwake || isAlwaysOn { return awake }
    return isAsleep ? .sleeping : isAskingCoarse ? .coarse : .off
  }

  /// The state for those who want to know where they are: a receiver on its way to rest, or one
  /// that nothing can switch, is as good as off although it draws its current.
  public var heard: GnssState {
    if let session { return session }
    if isAsleep { return .sleeping }
    return isOutOfControl ? awake : .off
  }

  private var isAsleep: Bool { receiver == .asleep || receiver == .fallingAsleep }

  /// Whether a line that could not be set, or a command that could not be sent, has left it as it
  /// was. Nothing empties a battery faster than a receiver that nobody counts.
  private var isOutOfControl: Bool { receiver == .unknown && isPowered }

  private var isStillAwake: Bool { receiver.isAwake || receiver == .ignored || isOutOfControl }

  // MARK: What happens

  /// The power sequencer has told.
  mutating func reached(_ state: ReceiverPowerState) {
    receiver = state
    guard state != .unknown else { return }
    isPowered = state != .off && state != .powerCycling
    // Whatever fix it had, it has to search again.
    if !isStillAwake { awake = .acquiring }
  }

  /// At the end of a step, and before a session is closed: what it did then it goes on with.
  mutating func update(_ search: GnssSearch, _ coarse: CoarseTracking, isAlwaysOn: Bool = false) {
    self.isAlwaysOn = isAlwaysOn
    session = search.state
    awake = session ?? awake
    isAskingCoarse = coarse.isAsking
  }
}
