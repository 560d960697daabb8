import Quantities
import ReceiverProtocols

/// The receiver's own power save while it delivers fixes.
extension PowerSequencer {
  /// Epochs as the daemon wants them; a search that failed is taken up again after ten seconds
  /// (UBX-CFG-PM2's default).
  private static let cyclic = UBXPowerSave(mode: .cyclic, updatePeriod: 1, searchPeriod: 10)

  /// Told at every start: a sleep or a cut may have undone it.
  func setPowerSaving(_ actions: inout [PowerAction]) {
    switch wiring.powerSaving {
    case .keep: return
    case .on: actions += commands.savePower(Self.cyclic).map(PowerAction.send)
    case .off: if let order = commands.fullPower { actions.append(.send(order)) }
    }
  }
}
