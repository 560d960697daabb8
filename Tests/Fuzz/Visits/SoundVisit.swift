import FuzzInput
import Records

extension Visit {
  /// Requirements for every stored visit.
  public func requireSound() throws(Violation) {
    for time in [arrival, departure].compactMap({ $0 }) {
      let isInOrder = time.earliest <= time.estimate && time.estimate <= time.latest
      try require(isInOrder, "bounds: \(self)")
    }
    if let departure {
      let isInOrder =
        arrival.estimate <= departure.estimate && arrival.earliest <= departure.earliest
        && arrival.latest <= departure.latest && arrival.estimate <= departure.earliest
      try require(isInOrder, "it ends before it begins: \(self)")
    }
    if let lastSeen {
      let isInOrder = arrival.earliest <= lastSeen && lastSeen <= departure?.latest ?? lastSeen
      try require(isInOrder, "seen when nobody was there: \(self)")
    }
    if let gap { try require(gap.start < gap.end, "a gap that ends before it begins: \(self)") }
    try require(unobserved >= 0 && unobserved.isFinite, "unwatched: \(self)")
    try require((0...1).contains(confidence), "confidence: \(self)")
    let isOnEarth = position.latitude.magnitude <= 90 && position.longitude.magnitude <= 180
    try require(isOnEarth, "off the Earth: \(self)")
    try require(accuracy >= 0 && accuracy.isFinite, "accuracy: \(self)")
    try require(locations > 0, "never seen: \(self)")
  }
}
