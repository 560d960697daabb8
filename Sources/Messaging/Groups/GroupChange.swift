/// What has changed in a group, for its members.
public enum GroupChange: Hashable, Sendable, CaseIterable {
  case name, description, range, end, schedule, invitation
  /// How often positions are requested, and how old they may be.
  case positions

  static func between(_ before: Group, _ after: Group) -> [GroupChange] {
    allCases.filter { change in
      switch change {
      case .name: before.name != after.name
      case .description: before.description != after.description
      case .range: before.range != after.range
      case .end: before.ends != after.ends
      case .schedule: before.schedule != after.schedule
      case .invitation: before.allowed != after.allowed
      case .positions: before.pause != after.pause || before.oldest != after.oldest
      }
    }
  }
}
