/// A request to the power switch. It replaces the previous one, completed or not; only the last one
/// is answered. `off` cuts the supply if possible, and closes the receiver's line in any case.
public enum PowerState: String, Sendable, CaseIterable { case on, off, sleep }

/// The ways of reducing the receiver's supply current, as input for the choice of the low-power
/// mode.
public struct PowerCapabilities: Hashable, Sendable {
  /// The receiver supports a sleep command, and can be woken again.
  public var canSleep: Bool
  /// Its supply can be switched.
  public var canCut: Bool
  /// Its navigation data survives a cut: by a backup supply, its own flash, or copies that the host
  /// restores.
  public var hasBackup: Bool

  /// Whether its consumption can be reduced. If not, ignoring its output saves nothing.
  public var canRest: Bool { canSleep || canCut }

  /// The default is a switched receiver with a backup supply.
  public init(canSleep: Bool = false, canCut: Bool = true, hasBackup: Bool = true) {
    self.canSleep = canSleep
    self.canCut = canCut
    self.hasBackup = hasBackup
  }
}
