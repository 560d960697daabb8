import Core

extension Dictionary where Key == PersonAddress {
  /// Whoever left longest ago is forgotten, where as many as may be are remembered already.
  /// - Parameter said: when somebody has left, by whoever said it.
  mutating func forgetFormer(
    _ said: (Value) -> UTCInstant?, where hasLeft: (Value) -> Bool
  ) {
    let former = filter { hasLeft($0.value) }
    guard former.count > GroupLimits.formerPeople else { return }
    let first = former.min {
      (said($0.value)?.nanoseconds ?? 0, $0.key) < (said($1.value)?.nanoseconds ?? 0, $1.key)
    }
    if let first { self[first.key] = nil }
  }
}
