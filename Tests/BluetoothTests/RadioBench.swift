import Beacons
import Platform
import Ports
import Quantities

/// A clock that tests put forward.
final class TestClock {
  var ahead = Seconds(0)
  var now: BootInstant { BootClock.now + ahead }
}

/// Serves a radio as the loop does.
struct RadioBench {
  let radio: any BeaconRadioPort
  let clock: TestClock

  /// What it tells next; nil: nothing within so long.
  func next(within limit: Seconds = 10) -> Result<BeaconRadioNews, EvidenceError>? {
    let end = BootClock.now + limit
    while true {
      do throws(EvidenceError) {
        if let news = try radio.next() { return .success(news) }
      } catch {
        return .failure(error)
      }
      let interest = radio.interest
      let due = radio.due.map { $0 - clock.ahead }
      guard BootClock.now < end, interest != nil || due.map({ $0 < end }) ?? false else {
        return nil
      }
      let waits = interest.map { $0.reads || $0.writes } ?? false
      _ = BootClock.wait(
        for: waits ? interest?.descriptor : nil, writes: interest?.writes ?? false,
        until: min(due ?? end, end))
    }
  }

  func news(within limit: Seconds = 10) -> BeaconRadioNews? { try? next(within: limit)?.get() }

  func message(within limit: Seconds = 10) -> String? {
    guard case .failure(let error)? = next(within: limit) else { return nil }
    return error.message
  }

  /// Nothing comes of what is on its way.
  var isQuiet: Bool { next(within: 0.3) == nil }
}
