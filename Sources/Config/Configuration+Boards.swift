extension Configuration {
  /// Composes board files: their order does not matter, nobody wins by accident. One setting has
  /// one value, unless a board file says that it replaces the others' or a stronger layer decides.
  ///
  /// - Parameter decided: keys that the settings file or an option sets.
  static func compose(
    _ boards: [SettingsLayer], decided: Set<String>, _ problems: inout [SettingProblem]
  ) -> [SettingsLayer.Assignment] {
    var composed: [SettingsLayer.Assignment] = []
    for setting in SettingSection.all.flatMap(\.settings) {
      var claims = claims(on: setting, by: boards, &problems)
      if claims.contains(where: \.replaces) { claims.removeAll { !$0.replaces } }
      guard let first = claims.first else { continue }
      composed.append(first.assignment)
      guard !decided.contains(setting.key),
        let other = claims.first(where: { $0.value != first.value })
      else { continue }
      problems.append(contradiction(first, other))
    }
    return composed
  }

  private struct BoardClaim {
    let assignment: SettingsLayer.Assignment
    let value: SettingValue
    let replaces: Bool
  }

  /// What the boards say about one setting; what it does not take is a problem and no claim.
  private static func claims(
    on setting: Setting, by boards: [SettingsLayer], _ problems: inout [SettingProblem]
  ) -> [BoardClaim] {
    var claims: [BoardClaim] = []
    for board in boards {
      for assignment in board.assignments where assignment.setting.key == setting.key {
        var scratch = Configuration()
        scratch.set(assignment, &problems)
        guard scratch.origin(of: setting) == assignment.origin else { continue }
        claims.append(
          BoardClaim(
            assignment: assignment, value: setting.value(in: scratch.settings),
            replaces: board.replaced.contains(setting.key)))
      }
    }
    return claims
  }

  private static func contradiction(_ first: BoardClaim, _ other: BoardClaim) -> SettingProblem {
    let key = first.assignment.setting.key
    return SettingProblem(
      place: other.assignment.origin.description,
      message: "\(key) = \(other.value.toml), but \(first.assignment.origin) says "
        + "\(first.value.toml): the boards do not go together; leave one "
        + "out, or set \(key) in the settings file to decide")
  }
}
