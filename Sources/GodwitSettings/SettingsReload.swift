import Delivery
import Core

/// The effect of settings that are read again while the daemon runs: each change takes effect at
/// once or at the next start. Pending changes are not in force.
public struct SettingsReload: Equatable, Sendable {
  /// The names of the pending settings, in the order of the declarations.
  public let waiting: [String]

  /// - Parameter running: the settings with which the daemon was started.
  public init(_ new: Settings, since running: Settings) {
    let before = DeclaredSettings(in: running)
    let changed = DeclaredSettings(in: new).settings.filter { $0.value != before[$0.key]?.value }
    let uplinks = changed.filter { if case .atNextRun = $0.activation { true } else { false } }
    let late = changed.map(\.key).filter { before[$0]?.activation == .atStart }
    let all = Self.waiting(with: late, among: uplinks.map(\.key), new, running)
    waiting = changed.map(\.key).filter(all.contains)
  }

  /// The settings that are pending anyway, and those of the uplink's settings that must wait, so
  /// that the daemon's part of them stays unchanged: each that changes this part by itself or in
  /// combination with the other changes. A change that another one compensates need not wait.
  private static func waiting(
    with late: [String], among keys: [String], _ new: Settings, _ running: Settings
  ) -> Set<String> {
    func differences(_ some: Settings, _ other: Settings) -> Set<Int> {
      some.uplink.daemonPart.differences(from: other.uplink.daemonPart)
    }
    var waiting = Set(late)
    while true {
      let wrong = differences(new.keeping(waiting, of: running), running)
      guard !wrong.isEmpty else { return waiting }
      let more = keys.filter { key in
        let parts = differences(running.keeping([key], of: new), running)
          .union(differences(new.keeping([key], of: running), new))
        return !waiting.contains(key) && !parts.isDisjoint(with: wrong)
      }
      guard !more.isEmpty else { return waiting.union(keys) }
      waiting.formUnion(more)
    }
  }
}
