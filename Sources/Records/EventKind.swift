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
    case .accuracyNotReached: "Whoever wanted a more accurate fix goes on without one."
    case .coarseDiscarded: "A coarse location was not believed."
    case .coldReset: "The receiver was told to forget what it knew, after searches that failed."
    case .command:
      "The user forced GNSS on or off, returned it to automatic, or had it start again."
    case .commandKept: "What the user ordered of GNSS in an earlier run still holds."
    case .dateRefused: "The receiver's date contradicts its witness and does not count."
    case .fixesRejected: "Fixes of a session were refused, with the causes and their numbers."
    case .gnssCut:
      "The supply was cut while the receiver slept: that takes less for the rest of the pause."
    case .restartFailed: "The receiver did not start again when it was told to."
    case .scanFailed: "A coarse source could not be asked."
    case .searchFailed: "No fix came although satellites were received."
    case .sleepUnavailable: "The receiver did not go to sleep or wake, and is cut or left on."
    case .stateIgnored: "What the last run had left for this one could not be read."
    case .switchFailed: "The receiver could not be switched."
    }
  }
}
