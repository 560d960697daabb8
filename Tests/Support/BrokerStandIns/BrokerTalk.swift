import Delivery
import Glibc
import Platform
import Ports
import ReceiverStandIns

/// Serves a connection as the event loop does, and waits for its events.
public final class BrokerTalk {
  public let port: any BrokerPort
  private let mosquitto: MosquittoProcess?
  private var events: [BrokerEvent] = []

  /// - Parameter mosquitto: kept running as long as this object exists.
  public init(_ port: any BrokerPort, with mosquitto: MosquittoProcess? = nil) {
    self.port = port
    self.mosquitto = mosquitto
  }

  /// The next event of a kind; the others before it are kept. Nil: none in time.
  public func next<Value>(
    within seconds: Double = 20, _ wanted: (BrokerEvent) -> Value?
  ) -> Value? {
    let deadline = BootClock.now.seconds + seconds * timeFactor
    while true {
      for (index, event) in events.enumerated() {
        guard let value = wanted(event) else { continue }
        events.remove(at: index)
        return value
      }
      if let event = port.poll() {
        events.append(event)
        continue
      }
      let left = deadline - BootClock.now.seconds
      guard left > 0, wait(atMost: left) else { return nil }
    }
  }

  /// - Returns: false when no more events can come.
  private func wait(atMost seconds: Double) -> Bool {
    var pause = seconds
    if let due = port.due { pause = min(pause, max(0, due.seconds - BootClock.now.seconds)) }
    guard let interest = port.interest else { return port.due != nil }
    var entry = pollfd(
      fd: interest.descriptor,
      events: Int16((interest.reads ? POLLIN : 0) | (interest.writes ? POLLOUT : 0)), revents: 0)
    _ = Glibc.poll(&entry, 1, Int32(pause * 1000) + 1)
    return true
  }

  public func welcome() -> BrokerEvent.Welcome? {
    next { if case .connected(let welcome) = $0 { welcome } else { nil } }
  }

  public func failure() -> BrokerFailure? {
    next { if case .failed(let failure) = $0 { failure } else { nil } }
  }

  public func reason(of number: Int64) -> PublishReason? {
    next {
      if case .acknowledged(number, let reason) = $0 { reason } else { nil }
    }
  }

  public func message() -> BrokerEvent.Message? {
    next { if case .received(let message) = $0 { message } else { nil } }
  }

  /// Whether any topic was refused; nil: no answer.
  public func subscription() -> Bool? {
    next { if case .subscribed(_, let refused) = $0 { !refused.isEmpty } else { nil } }
  }

  public func hasLeft() -> Bool { next { $0 == .disconnected ? true : nil } ?? false }
}
