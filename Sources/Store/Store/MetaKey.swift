import Records

/// The keys of the table `meta`.
enum MetaKey: String, StoredWord {
  case trackerState = "tracker_state"
  case placeState = "place_state"
  case interests
  case provenance
  case openings
  case retentionRun = "retention_run"
  case changeLog = "change_log"

  init(_ memory: Record.Memory) {
    switch memory {
    case .trackerState: self = .trackerState
    case .placeState: self = .placeState
    case .interests: self = .interests
    case .provenance: self = .provenance
    }
  }

  var meaning: String {
    switch self {
    case .trackerState: "What the tracker needs to go on after a restart, as JSON."
    case .placeState:
      "At which places the board is, and what alerts have raised, as JSON."
    case .interests:
      "Which types of contents interest people, as they have said, and whether visits may tell, as "
        + "JSON."
    case .provenance:
      "What made the records, as JSON: version, command, policy, seed, trace and its hash, "
        + "settings, boards; kind is real, replayed or simulated."
    case .openings:
      "A mark of each of the last openings, by which copies of a store are told apart."
    case .retentionRun: "When old records were last deleted."
    case .changeLog: "A name for the log of changes, while one is kept."
    }
  }
}
