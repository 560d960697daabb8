/// When a changed setting takes effect. Without a declaration it is the start of the daemon. The
/// daemon then reports the change as pending, which is always safe.
public enum SettingActivation: Hashable, Sendable {
  /// The daemon reads it at its start.
  case atStart
  /// The daemon reads it again when its settings are reloaded.
  case atReload
  /// Another program reads it at every run: "godwit uplink".
  case atNextRun(of: String)

  /// The event that applies the change, as a word or a command: "restart".
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
    case .atStart: "A change takes effect when the daemon is restarted."
    case .atReload: "A change takes effect when the daemon is reloaded."
    case .atNextRun(let program): "A change takes effect at the next run of \(program)."
    }
  }
}
