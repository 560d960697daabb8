/// What is requested of the power switch. A request replaces the one before, completed or not, and
/// only the last one is answered. `off` cuts the supply where that is possible, and closes the
/// receiver's line in any case.
public enum PowerState: String, Sendable, CaseIterable { case on, off, sleep }

/// What can be done with the receiver's supply, as far as it matters for the choice of the
/// low-power mode.
public struct PowerCapabilities: Hashable, Sendable {
  /// It understands a sleep command, and can be woken again.
  public var canSleep: Bool
  /// Its supply can be switched.
  public var canCut: Bool
  /// Its navigation data survives a cut: by a backup supply, its own flash, or copies that the host
  /// restores.
  public var hasBackup: Bool

  /// Whether anything can be done to have it draw less. Where nothing can, nothing is saved by not
  /// listening to it.
  public var canRest: Bool { canSleep || canCut }

  /// The default is a switched receiver with a backup supply.
  public init(canSleep: Bool = false, canCut: Bool = true, hasBackup: Bool = true) {
    self.canSleep = canSleep
    self.canCut = canCut
    self.hasBackup = hasBackup
  }
}
