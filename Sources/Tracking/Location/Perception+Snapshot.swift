import Notation

extension Perception {
  /// What has to survive a restart besides the destinations: the visit that is going on.
  public var snapshot: JSONValue { .object([("visits", detector.snapshot)]) }

  /// Goes on from a snapshot; what is not understood is left out.
  public mutating func restore(_ snapshot: JSONValue) {
    if let saved = snapshot["visits"] {
      detector.restore(saved)
    }
  }
}
