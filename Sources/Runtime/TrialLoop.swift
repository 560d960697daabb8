import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Drives a runtime in real time for a short while, for commands that test something: without
/// signals, watchdog and control socket, but with every endpoint served as in the daemon.
public struct TrialLoop {
  private let runtime: TrackerRuntime

  public init(_ runtime: TrackerRuntime) { self.runtime = runtime }

  /// Runs until `isDone` or until the time has passed. Returns whether it is done.
  public func run(for time: Seconds, until isDone: () -> Bool) -> Bool {
    let end = BootClock.now + time
    while !isDone() {
      let now = BootClock.now
      guard now < end else { return false }
      // A due action that cannot be performed yet must not make this loop spin.
      let next = max(min(runtime.nextDue ?? end, end, now + 1), now + 0.001)
      for endpoint in ready(until: next) {
        runtime.serve(endpoint, at: BootClock.now, isReady: true)
      }
      runtime.timePassed(at: BootClock.now)
    }
    return true
  }

  private func ready(until deadline: BootInstant) -> [any Endpoint] {
    let waiting = runtime.endpoints.compactMap { endpoint in
      endpoint.interest.map { (endpoint: endpoint, interest: $0) }
    }.filter { $0.interest.reads || $0.interest.writes }
    var entries = waiting.map { _, interest in
      let events = (interest.reads ? POLLIN : 0) | (interest.writes ? POLLOUT : 0)
      return pollfd(fd: interest.descriptor, events: Int16(events), revents: 0)
    }
    guard BootClock.wait(forAny: &entries, until: deadline) else { return [] }
    return zip(waiting, entries).filter { $0.1.revents != 0 }.map(\.0.endpoint)
  }
}
