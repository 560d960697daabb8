/// Where others say that something is new, such as the daemon when it has recorded something.
public protocol WakePort: EventPort {
  /// Takes what has been said.
  func drain() -> Set<UplinkNews>
}
