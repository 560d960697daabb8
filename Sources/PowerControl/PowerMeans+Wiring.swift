import Tracking

extension PowerMeans {
  /// What the wiring allows. Whether the receiver knows a sleep command shows when it is asked to
  /// sleep.
  public init(_ wiring: PowerWiring) {
    self.init(
      canSleep: wiring.means != .none && wiring.sleepCommand != .none, canCut: wiring.canCut,
      hasBackup: wiring.hasBackupSupply || [.flash, .host].contains(wiring.orbitKeeping))
  }
}
