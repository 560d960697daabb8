/// The kinds of events in the decision log. A store may contain others, from earlier versions.
public enum EventKind: String, StoredWord {
  case accuracyNotReached = "accuracy-not-reached"
  case coarseDiscarded = "coarse-discarded"
  case coldReset = "cold-reset"
  case command
  case commandKept = "command-kept"
  case dateRefused = "date-refused"
  case fixesRejected = "fixes-rejected"
  case gnssCut = "gnss-cut"
  case restartFailed = "restart-failed"
  case scanFailed = "scan-failed"
  case searchFailed = "search-failed"
  case sleepUnavailable = "sleep-unavailable"
  case stateIgnored = "state-ignored"
  case switchFailed = "switch-failed"

  public var meaning: String {
    switch self {
    case .accuracyNotReached: "A demand for a more accurate fix ended without one."
    case .coarseDiscarded: "A coarse location was discarded."
    case .coldReset: "The receiver was commanded to clear its data, after failed searches."
    case .command:
      "The user forced GNSS on or off, returned it to automatic, or restarted the receiver."
    case .commandKept: "The user's command for GNSS from an earlier run is still in effect."
    case .dateRefused: "The receiver's date contradicts its witness and is ignored."
    case .fixesRejected: "Fixes of a session were rejected, with the causes and their numbers."
    case .gnssCut:
      "The supply was cut while the receiver slept, because that needs less energy for the rest of "
        + "the pause."
    case .restartFailed: "The receiver did not restart on command."
    case .scanFailed: "A coarse source could not be queried."
    case .searchFailed: "No fix came although satellites were received."
    case .sleepUnavailable: "The receiver did not go to sleep or wake, and is cut or left on."
    case .stateIgnored: "The saved state of the last run could not be read."
    case .switchFailed: "The receiver could not be switched."
    }
  }
}
