/// Receives events from other processes, such as new records from the daemon.
public protocol WakePort: EventPort {
  /// Returns and clears the received events.
  func drain() -> Set<UplinkNotification>
}
