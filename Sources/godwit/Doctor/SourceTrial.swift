import Platform
import Ports
import Quantities
import Records

/// Listens to one source for a while, as the daemon would, until it tells something or fails.
struct SourceTrial {
  let source: any EvidencePort
  let patience: Seconds

  /// Nil: it has said nothing in that time.
  func firstWord() throws(EvidenceError) -> Evidence? {
    let end = BootClock.now + patience
    try source.ask()
    repeat {
      if let evidence = try source.poll() { return evidence }
      wait(until: end)
    } while BootClock.now < end
    return nil
  }

  /// Until there is something to read, the source is due, or the time is over.
  private func wait(until end: BootInstant) {
    let interest = source.interest
    let waits = interest.map { $0.reads || $0.writes } ?? false
    _ = BootClock.wait(
      for: waits ? interest?.descriptor : nil, writes: interest?.writes ?? false,
      until: source.due.map { min($0, end) } ?? end)
  }
}
