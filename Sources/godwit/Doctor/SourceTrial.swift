import Platform
import Ports
import Core
import Records

/// Listens to one source for a while, as the daemon would, until it reports something or fails.
struct SourceTrial {
  let source: any EvidencePort
  let timeout: Seconds

  /// Nil: it has reported nothing in that time.
  func firstEvidence() throws(PortError) -> Evidence? {
    let end = BootClock.now + timeout
    try source.request()
    repeat {
      if let evidence = try source.poll() { return evidence }
      _ = BootClock.wait(for: source, until: end)
    } while BootClock.now < end
    return nil
  }
}
