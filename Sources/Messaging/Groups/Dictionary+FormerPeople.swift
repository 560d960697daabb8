import Core

extension Dictionary where Key == PersonAddress {
  /// Removes the person who left longest ago, once the limit of remembered former people is
  /// exceeded.
  /// - Parameter said: the time of leaving, as stated by the sender.
  mutating func forgetFormer(
    _ said: (Value) -> UTCInstant?, where hasLeft: (Value) -> Bool
  ) {
    let former = filter { hasLeft($0.value) }
    guard former.count > MessagingLimits.formerMembers else { return }
    let first = former.min {
      (said($0.value)?.nanoseconds ?? 0, $0.key) < (said($1.value)?.nanoseconds ?? 0, $1.key)
    }
    if let first { self[first.key] = nil }
  }
}
