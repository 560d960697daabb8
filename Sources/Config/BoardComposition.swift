import SettingDeclarations

/// Composes board files. Their order does not matter: a setting must have the same value in all of
/// them, unless one of them says that its value replaces the others', or a later layer sets it.
struct BoardComposition<Root: SettingsRoot> {
  private struct Claim {
    let assignment: SettingsLayer<Root>.Assignment
    let value: SettingValue
    let replaces: Bool
  }

  private let boards: [SettingsLayer<Root>]
  private let decided: Set<String>

  /// - Parameter decided: keys that the settings file or an option sets.
  init(_ boards: [SettingsLayer<Root>], decided: Set<String>) {
    self.boards = boards
    self.decided = decided
  }

  /// One for every setting that a board sets.
  func assignments(_ problems: inout [SettingProblem]) -> [SettingsLayer<Root>.Assignment] {
    var composed: [SettingsLayer<Root>.Assignment] = []
    for setting in Root.schema.settings {
      var claims = claims(on: setting, &problems)
      if claims.contains(where: \.replaces) { claims.removeAll { !$0.replaces } }
      guard let first = claims.first else { continue }
      composed.append(first.assignment)
      guard !decided.contains(setting.key),
        let other = claims.first(where: { $0.value != first.value })
      else { continue }
      problems.append(Self.contradiction(first, other))
    }
    return composed
  }

  /// The values that the boards give one setting. Values that the setting does not accept are
  /// reported as problems and left out.
  private func claims(
    on setting: Setting<Root>, _ problems: inout [SettingProblem]
  ) -> [Claim] {
    var claims: [Claim] = []
    for board in boards {
      for assignment in board.assignments where assignment.setting.key == setting.key {
        var scratch = Configuration<Root>()
        scratch.set(assignment, &problems)
        guard scratch.origin(of: setting) == assignment.origin else { continue }
        claims.append(
          Claim(
            assignment: assignment, value: setting.value(in: scratch.settings),
            replaces: board.replaced.contains(setting.key)))
      }
    }
    return claims
  }

  private static func contradiction(_ first: Claim, _ other: Claim) -> SettingProblem {
    let key = first.assignment.setting.key
    return SettingProblem(
      source: other.assignment.origin.description,
      message: "\(key) = \(other.value.toml), but \(first.assignment.origin) says "
        + "\(first.value.toml): the boards contradict each other; leave one "
        + "out, or set \(key) in the settings file to decide")
  }
}
