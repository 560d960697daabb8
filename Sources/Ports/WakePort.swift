/// Where others say that something is new, such as the daemon when it has recorded something.
public protocol WakePort: EventPort {
  /// Takes what has been said.
  ///
  /// - Returns: whether anything was.
  func drain() -> Bool
}
