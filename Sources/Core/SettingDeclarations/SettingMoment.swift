/// From when on a changed setting counts. What declares none counts at the start: the daemon then
/// names it as waiting, which is never wrong.
public enum SettingMoment: Hashable, Sendable {
  /// The daemon takes it at its start.
  case atStart
  /// The daemon takes it again when its settings are reloaded.
  case atReload
  /// Another program takes it whenever it runs: "godwit uplink".
  case atNextRun(of: String)

  /// What has to happen first, in a word or a command: "restart".
  public var trigger: String {
    switch self {
    case .atStart: "restart"
    case .atReload: "reload"
    case .atNextRun(let program): program
    }
  }

  /// For the manual and the default file.
  public var sentence: String {
    switch self {
    case .atStart: "A change counts when the daemon is restarted."
    case .atReload: "A change counts when the daemon is reloaded."
    case .atNextRun(let program): "A change counts when \(program) is next run."
    }
  }
}
