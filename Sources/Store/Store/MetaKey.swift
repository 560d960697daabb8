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
    case .trackerState: "State that the tracker needs to continue after a restart, as JSON."
    case .placeState:
      "Places at which the board is, and state of the alerts, as JSON."
    case .interests:
      "Interests in types of contents, as set, and whether they are inferred from visits, as "
        + "JSON."
    case .provenance:
      "Origin of the records, as JSON: version, command, policy, seed, trace and its hash, "
        + "settings, boards; kind is real, replayed or simulated."
    case .openings:
      "Marks of the last openings, to distinguish copies of a store."
    case .retentionRun: "Time at which old records were last deleted."
    case .changeLog: "Name of the log of changes, while one is kept."
    }
  }
}
