/// What has changed in a meeting, for those who joined it.
public enum MeetingChange: Hashable, Sendable, CaseIterable {
  case name, description, spot, time, region, invitation

  /// In the order of their importance on the way there.
  static func between(_ before: Meeting, _ after: Meeting) -> [MeetingChange] {
    allCases.filter { change in
      switch change {
      case .name: before.name != after.name
      case .description: before.description != after.description
      case .spot: before.spot != after.spot
      case .time:
        before.starts != after.starts || before.ends != after.ends
          || before.schedule != after.schedule
      case .region: before.region != after.region
      case .invitation: before.invited != after.invited
      }
    }
  }
}

/// Why a meeting is over for a person.
public enum MeetingEnd: Hashable, Sendable {
  case ended, cancelled
  /// Its organizer has removed it.
  case removed
  /// Other people are invited now.
  case uninvited
}
