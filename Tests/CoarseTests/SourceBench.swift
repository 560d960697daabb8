import Platform
import Ports
import Quantities
import Records

/// A clock that tests put forward.
final class TestClock {
  var ahead = Seconds(0)
  var now: BootInstant { BootClock.now + ahead }
}

/// Serves a source as the loop does.
struct SourceBench {
  let source: any EvidencePort
  let clock: TestClock

  /// What it tells next; nil: nothing within so long.
  func next(within limit: Seconds = 10) -> Result<Evidence, EvidenceError>? {
    let end = BootClock.now + limit
    while true {
      do {
        if let evidence = try source.poll() { return .success(evidence) }
      } catch {
        return .failure(error)
      }
      let interest = source.interest
      let due = source.due.map { $0 - clock.ahead }
      guard BootClock.now < end, interest != nil || due.map({ $0 < end }) ?? false else {
        return nil
      }
      let waits = interest.map { $0.reads || $0.writes } ?? false
      _ = BootClock.wait(
        for: waits ? interest?.descriptor : nil, writes: interest?.writes ?? false,
        until: min(due ?? end, end))
    }
  }

  func evidence(within limit: Seconds = 10) -> Evidence? { try? next(within: limit)?.get() }

  func message(within limit: Seconds = 10) -> String? {
    guard case .failure(let error)? = next(within: limit) else { return nil }
    return error.message
  }

  /// Nothing comes of what is on its way.
  var isQuiet: Bool { next(within: 0.3) == nil }

  func scan(within limit: Seconds = 10) -> AccessPointScan? {
    guard case .accessPoints(let scan)? = evidence(within: limit) else { return nil }
    return scan
  }
}
