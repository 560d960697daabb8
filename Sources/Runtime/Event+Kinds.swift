import Tracking

extension Event {
  var isEvidence: Bool { if case .evidence = self { true } else { false } }
  /// The source of evidence or coarse locations that the event comes from.
  var source: String? {
    switch self {
    case .evidence(_, let name), .coarse(_, let name): name
    case .scanFailed(let name, _): name
    default: nil
    }
  }

  var isReceiverState: Bool { if case .receiver = self { true } else { false } }
}

extension Effect {
  var switches: Bool { if case .power = self { true } else { false } }
  var locates: Bool { if case .located = self { true } else { false } }
}
