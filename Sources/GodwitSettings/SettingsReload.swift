import Delivery
import SettingDeclarations

/// What becomes of settings that are read again while the daemon runs: each that has changed counts
/// at once or waits for the next start. What waits is not in force.
public struct SettingsReload: Equatable, Sendable {
  /// The names of those that wait, in the order of the declarations.
  public let waiting: [String]

  /// - Parameter running: what the daemon was started with.
  public init(_ new: Settings, since running: Settings) {
    let before = DeclaredSettings(in: running)
    let changed = DeclaredSettings(in: new).settings.filter { $0.value != before[$0.key]?.value }
    waiting = changed.filter { setting in
      switch setting.counts {
      case .atReload: false
      case .atStart: true
      case .atNextRun: Self.isDaemons(setting.key, new, running)
      }
    }.map(\.key)
  }

  /// Whether a change of the uplink's settings changes what the daemon takes of them, too: by
  /// itself, or with the others that have changed.
  private static func isDaemons(_ key: String, _ new: Settings, _ running: Settings) -> Bool {
    running.keeping([key], of: new).uplink.daemonPart != running.uplink.daemonPart
      || new.keeping([key], of: running).uplink.daemonPart != new.uplink.daemonPart
  }
}
