import Records

/// What is kept in the table `meta`.
enum MetaKey: String, StoredWord {
  case trackerState = "tracker_state"
  case openings
  case retentionRun = "retention_run"

  var meaning: String {
    switch self {
    case .trackerState: "What the tracker needs to go on after a restart, as JSON."
    case .openings:
      "A mark of each of the last openings, by which copies of a store are told apart."
    case .retentionRun: "When old records were last deleted."
    }
  }
}
