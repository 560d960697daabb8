import Delivery
import Core

/// What becomes of settings that are read again while the daemon runs: each that has changed counts
/// at once or waits for the next start. What waits is not in force.
public struct SettingsReload: Equatable, Sendable {
  /// The names of those that wait, in the order of the declarations.
  public let waiting: [String]

  /// - Parameter running: what the daemon was started with.
  public init(_ new: Settings, since running: Settings) {
    let before = DeclaredSettings(in: running)
    let changed = DeclaredSettings(in: new).settings.filter { $0.value != before[$0.key]?.value }
    let uplinks = changed.filter { if case .atNextRun = $0.counts { true } else { false } }
    let late = changed.map(\.key).filter { before[$0]?.counts == .atStart }
    let all = Self.waiting(with: late, among: uplinks.map(\.key), new, running)
    waiting = changed.map(\.key).filter(all.contains)
  }

  /// Those that wait for a start anyway, and those of the uplink's settings that have to wait so
  /// that what the daemon takes of them is what it has: each that changes a part of it, by itself
  /// or with the others that have changed. One that another makes up for need not.
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
