/// What can be done with the receiver's supply, as far as it matters for the choice between leaving
/// it on, sending it to sleep and cutting it off.
public struct PowerCapabilities: Hashable, Sendable {
  /// It understands a sleep command, and can be woken again.
  public var canSleep: Bool
  /// There is a switch in its supply.
  public var canCut: Bool
  /// Its navigation data outlives a cut: a backup supply, its own flash, or copies that the host
  /// gives back.
  public var hasBackup: Bool

  /// The default is a switch in front of a receiver with a backup supply.
  public init(canSleep: Bool = false, canCut: Bool = true, hasBackup: Bool = true) {
    self.canSleep = canSleep
    self.canCut = canCut
    self.hasBackup = hasBackup
  }
}
