import Core

/// A collector's connection to its broker: subscribes to the records of all boards, and publishes
/// receipts. Reconnects when the connection ends, with growing pauses.
public struct CollectorSession: Sendable {
  public enum Event: Sendable {
    case begin
    case broker(BrokerEvent)
    /// The accepted records of a batch are on the disk.
    case stored(device: String, CollectorReceipt)
    case woke
    case end
  }

  public enum Effect: Equatable, Sendable {
    case connect(BrokerAddress)
    case subscribe([String])
    case store(CollectedBatch, device: String)
    case publish(BrokerMessage, number: Int64)
    /// A message for people.
    case report(String)
    case disconnect
    case ended
  }

  static let firstPause: Seconds = 1
  static let longestPause: Seconds = 60
  /// For every person and device.
  static let topic = "godwit/+/+/records"

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
    case .broker(let event): return handle(event, now)
    case .stored(let device, let receipt):
      return phase == .talking ? [publication(device, receipt)] : []
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

  private mutating func handle(_ event: BrokerEvent, _ now: BootInstant) -> [Effect] {
    switch event {
    case .connected:
      phase = .talking
      pause = Self.firstPause
      return [.subscribe([Self.topic]), .report("connected to \(brokers[current])")]
    case .subscribed(_, let refused):
      return !refused.isEmpty
        ? [.report("the broker refuses the subscription to \(Self.topic): check its access rules")]
        : []
    case .received(let message): return read(message)
    case .acknowledged(_, let reason):
      return reason.isSuccess ? [] : [.report("a receipt was not accepted: \(reason.text)")]
    case .disconnected: return over()
    case .failed(let failure):
      guard !isEnding else { return over() }
      let next = current + 1
      if phase == .connecting, next < brokers.count { return connect(to: next) }
      phase = .waiting
      retriesAt = now + pause
      pause = min(pause * 2, Self.longestPause)
      return [.report(failure.message)]
    }
  }

  /// Anyone with access may publish anything there.
  private func read(_ message: BrokerEvent.Message) -> [Effect] {
    let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4, levels[0] == "godwit", levels[3] == "records" else { return [] }
    let device = "\(levels[1])/\(levels[2])"
    do throws(MessageProblem) {
      return [.store(try CollectedBatch(parsing: message.payload), device: device)]
    } catch {
      return [.report("a message of \(device) is left out: \(error.reason)")]
    }
  }

  /// Retained, so that a board receives it whenever it connects.
  private mutating func publication(_ device: String, _ receipt: CollectorReceipt) -> Effect {
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
