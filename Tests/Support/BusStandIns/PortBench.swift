import Platform
import Ports
import Quantities

/// Serves a port as the loop does, and takes what it tells.
public struct PortBench<Port, News> {
  public let port: Port
  private let events: any EventPort
  private let clock: TestClock
  private let take: () throws(EvidenceError) -> News?

  /// - Parameters:
  ///   - events: the port once more, for what it waits for.
  ///   - take: the next that it has to tell.
  public init(
    _ port: Port, events: any EventPort, clock: TestClock,
    take: @escaping () throws(EvidenceError) -> News?
  ) {
    self.port = port
    self.events = events
    self.clock = clock
    self.take = take
  }

  /// What it tells next; nil: nothing within so long.
  public func next(within limit: Seconds = 10) -> Result<News, EvidenceError>? {
    let end = BootClock.now + limit
    while true {
      do throws(EvidenceError) {
        if let news = try take() { return .success(news) }
      } catch {
        return .failure(error)
      }
      let interest = events.interest
      let due = events.due.map { $0 - clock.ahead }
      guard BootClock.now < end, interest != nil || due.map({ $0 < end }) ?? false else {
        return nil
      }
      let waits = interest.map { $0.reads || $0.writes } ?? false
      _ = BootClock.wait(
        for: waits ? interest?.descriptor : nil, writes: interest?.writes ?? false,
        until: min(due ?? end, end))
    }
  }

  public func news(within limit: Seconds = 10) -> News? { try? next(within: limit)?.get() }

  public func message(within limit: Seconds = 10) -> String? {
    guard case .failure(let error)? = next(within: limit) else { return nil }
    return error.message
  }

  /// Nothing comes of what is on its way.
  public var isQuiet: Bool { next(within: 0.3) == nil }
}

extension PortBench: CustomReflectable {
  /// Nothing of it, when an expectation that failed is worded: Swift Testing 6.0 follows every
  /// reference, without end where a port's objects refer to each other, and the stack overflows.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
