import Core

/// A collector at its broker: subscribes to the records of all boards, and says what it has. Comes
/// again when the connection ends, later each time.
public struct CollectorSession: Sendable {
  public enum Event: Sendable {
    case begin
    case broker(BrokerEvent)
    /// What was taken of a batch is on the disk.
    case taken(device: String, CollectorReceipt)
    case woke
    case end
  }

  public enum Effect: Equatable, Sendable {
    case connect(BrokerAddress)
    case subscribe([String])
    case take(CollectedBatch, device: String)
    case publish(BrokerMessage, number: Int64)
    /// What people should know.
    case tell(String)
    case disconnect
    case ended
  }

  static let firstPause: Seconds = 1
  static let longestPause: Seconds = 60
  /// Of every person and device.
  public static let topic = "godwit/+/+/records"

  private enum Phase { case idle, connecting, talking, waiting, over }

  private let brokers: [BrokerAddress]
  private var phase = Phase.idle
  private var current = 0
  private var pause = firstPause
  private var retriesAt: BootInstant?
  private var number: Int64 = 0
  private var isEnding = false

  public init(_ brokers: [BrokerAddress]) { self.brokers = brokers }

  public var wake: BootInstant? { phase == .waiting ? retriesAt : nil }

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    guard phase != .over else { return [] }
    switch event {
    case .begin: return connect(to: 0)
    case .broker(let event): return hear(event, now)
    case .taken(let device, let receipt): return phase == .talking ? [tell(device, receipt)] : []
    case .woke:
      guard phase == .waiting, let retriesAt, retriesAt <= now else { return [] }
      return connect(to: 0)
    case .end:
      isEnding = true
      guard phase == .talking else { return over() }
      return [.disconnect]
    }
  }

  private mutating func connect(to index: Int) -> [Effect] {
    phase = .connecting
    current = index
    return [.connect(brokers[index])]
  }

  private mutating func hear(_ event: BrokerEvent, _ now: BootInstant) -> [Effect] {
    switch event {
    case .connected:
      phase = .talking
      pause = Self.firstPause
      return [.subscribe([Self.topic]), .tell("connected to \(brokers[current])")]
    case .subscribed(_, let refused):
      return !refused.isEmpty
        ? [.tell("the broker does not let us hear \(Self.topic): look at its access rules")] : []
    case .received(let message): return read(message)
    case .acknowledged(_, let reason):
      return reason.isSuccess ? [] : [.tell("a receipt was not taken: \(reason.text)")]
    case .left: return over()
    case .failed(let failure):
      guard !isEnding else { return over() }
      let next = current + 1
      if phase == .connecting, next < brokers.count { return connect(to: next) }
      phase = .waiting
      retriesAt = now + pause
      pause = min(pause * 2, Self.longestPause)
      return [.tell(failure.message)]
    }
  }

  /// Whoever may publish there may send anything.
  private func read(_ message: BrokerEvent.Message) -> [Effect] {
    let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4, levels[0] == "godwit", levels[3] == "records" else { return [] }
    let device = "\(levels[1])/\(levels[2])"
    do throws(MessageProblem) {
      return [.take(try CollectedBatch(parsing: message.payload), device: device)]
    } catch {
      return [.tell("a message of \(device) is left out: \(error.reason)")]
    }
  }

  /// Retained, so that a board hears it whenever it comes.
  private mutating func tell(_ device: String, _ receipt: CollectorReceipt) -> Effect {
    number += 1
    return .publish(
      BrokerMessage(
        topic: "godwit/\(device)/received", payload: receipt.bytes, isRetained: true),
      number: number)
  }

  private mutating func over() -> [Effect] {
    phase = .over
    return [.ended]
  }
}
