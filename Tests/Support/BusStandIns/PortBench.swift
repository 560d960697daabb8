import Platform
import Ports
import ReceiverStandIns
import Core

/// Serves a port as the event loop does, and collects its results.
public struct PortBench<Port, News> {
  public let port: Port
  private let events: any EventPort
  private let clock: TestClock
  private let take: () throws(PortError) -> News?

  /// - Parameters:
  ///   - events: the same port, for the events it waits for.
  ///   - take: returns the port's next result.
  public init(
    _ port: Port, events: any EventPort, clock: TestClock,
    take: @escaping () throws(PortError) -> News?
  ) {
    self.port = port
    self.events = events
    self.clock = clock
    self.take = take
  }

  /// The next result; nil: none within this time.
  public func next(within limit: Seconds = 10) -> Result<News, PortError>? {
    let end = BootClock.now + limit * timeFactor
    while true {
      do throws(PortError) {
        if let news = try take() { return .success(news) }
      } catch {
        return .failure(error)
      }
      guard BootClock.now < end, hasWork(by: end) else { return nil }
    }
  }

  /// Waits until there is work to do; false: none until then.
  private func hasWork(by end: BootInstant) -> Bool {
    let interest = events.interest
    let due = events.due.map { $0 - clock.ahead }
    guard interest != nil || due.map({ $0 < end }) ?? false else { return false }
    let waits = interest.map { $0.reads || $0.writes } ?? false
    let isReady = BootClock.wait(
      for: waits ? interest?.descriptor : nil, writes: interest?.writes ?? false,
      until: min(due ?? end, end))
    return isReady || due.map { $0 < end } ?? false
  }

  public func news(within limit: Seconds = 10) -> News? { try? next(within: limit)?.get() }

  public func message(within limit: Seconds = 10) -> String? {
    guard case .failure(let error)? = next(within: limit) else { return nil }
    return error.message
  }

  /// Nothing arrives within some time, from a service that is absent or idle.
  public var isQuiet: Bool { next(within: 0.3) == nil }

  /// Nothing arrives of what is on its way to the service and back, however slow the machine is:
  /// the port's request is answered once the service has run a later one.
  public func isQuiet(with service: MockedService) throws -> Bool {
    for _ in 0..<100 {
      guard next(within: 0) == nil else { return false }
      try service.run("pass")
      if !hasWork(by: BootClock.now + 0.05) { return true }
    }
    return false
  }
}

extension PortBench: CustomReflectable {
  /// Hides the contents from the message of a failed expectation: Swift Testing 6.0 follows every
  /// reference, without end where a port's objects refer to each other, and the stack overflows.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
