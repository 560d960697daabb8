import Messaging
import TestSupport

/// An MQTT broker in virtual time: it keeps the last message of each topic, and delivers it to
/// subscribers. Sessions are clean: a board receives messages published while it was disconnected
/// at its next subscription, if they are retained.
///
/// Whatever fails on the way, messages of one sender under one topic keep their order, as MQTT 5.0
/// requires (4.6); the others may overtake each other.
public final class VirtualBroker {
  private struct Retained {
    let payload: [UInt8]
    /// Nil: until it is removed.
    let expires: Double?
  }

  /// A packet that arrives at a board.
  struct Arrival {
    enum Kind { case message, acknowledgement }

    let kind: Kind
    let link: Int
    let topic: String
    let payload: [UInt8]
    /// The ticket of the acknowledged publication.
    let ticket: Int
  }

  private enum Direction { case toBroker, toBoard, back }

  /// A packet in flight.
  private struct OutgoingMessage {
    let direction: Direction
    let link: Int
    let topic: String
    let payload: [UInt8]
    let expires: Double?
    let ticket: Int
    let due: Double
    let number: Int
  }

  private struct Way: Hashable {
    let isToBroker: Bool
    let link: Int
    let topic: String
  }

  public var faults = VirtualFaults.none
  /// An unreachable broker has no connections.
  public var isReachable = true {
    didSet { if !isReachable { for link in links.keys { close(link) } } }
  }
  private var chance: SplitMix
  private var retained: [String: Retained] = [:]
  private var links: [Int: Set<String>] = [:]
  private var made = 0
  private var inFlight: [OutgoingMessage] = []
  private var latest: [Way: Double] = [:]
  private var sent = 0

  public init(seed: UInt64 = 1) { chance = SplitMix(seed: seed) }

  // MARK: What lies there

  public func topics(at now: Double) -> [String] {
    retained.filter { $0.value.expires.map { now < $0 } ?? true }.keys.sorted()
  }

  public func payload(_ topic: String) -> [UInt8]? { retained[topic]?.payload }

  /// When the next message arrives somewhere.
  var due: Double? { inFlight.map(\.due).min() }

  // MARK: Connections

  func open() -> Int? {
    guard isReachable else { return nil }
    made += 1
    links[made] = []
    return made
  }

  func isOpen(_ link: Int) -> Bool { links[link] != nil }

  /// Packets in flight are lost.
  func close(_ link: Int) {
    links[link] = nil
    inFlight.removeAll { $0.link == link }
    latest = latest.filter { $0.key.link != link }
  }

  /// - Parameter filters: all of them; new ones get the retained messages, one after the other, as
  ///   from mosquitto.
  func subscribe(_ link: Int, to filters: [String], at now: Double) {
    guard let before = links[link] else { return }
    links[link] = Set(filters)
    for filter in filters where !before.contains(filter) {
      for topic in topics(at: now) where Self.matches(filter, topic) {
        guard let message = retained[topic] else { continue }
        put(.toBoard, link, topic, message.payload, nil, now)
      }
    }
  }

  /// - Parameter ticket: returned with its acknowledgement.
  func publish(_ link: Int, _ publication: Publication, ticket: Int, at now: Double) {
    guard links[link] != nil else { return }
    put(
      .toBroker, link, publication.topic, publication.payload,
      publication.life.map { now + $0.value }, ticket: ticket, now)
  }

  /// As from a person whose board is not simulated.
  public func inject(_ topic: String, _ payload: [UInt8], at now: Double) {
    keep(topic, payload, nil, now)
  }

  // MARK: The way

  /// The packets that have arrived by now, in order.
  func arrivals(at now: Double) -> [Arrival] {
    var arrived: [Arrival] = []
    while let index = nextIndex(at: now) {
      let outgoing = inFlight.remove(at: index)
      switch outgoing.direction {
      case .toBroker:
        keep(outgoing.topic, outgoing.payload, outgoing.expires, now)
        put(
          .back, outgoing.link, outgoing.topic, outgoing.payload, nil, ticket: outgoing.ticket, now)
      case .toBoard, .back:
        arrived.append(
          Arrival(
            kind: outgoing.direction == .back ? .acknowledgement : .message, link: outgoing.link,
            topic: outgoing.topic, payload: outgoing.payload, ticket: outgoing.ticket))
      }
    }
    return arrived
  }

  private func nextIndex(at now: Double) -> Int? {
    inFlight.indices.filter { inFlight[$0].due <= now }.min {
      (inFlight[$0].due, inFlight[$0].number) < (inFlight[$1].due, inFlight[$1].number)
    }
  }

  private func keep(_ topic: String, _ payload: [UInt8], _ expires: Double?, _ now: Double) {
    retained[topic] = payload.isEmpty ? nil : Retained(payload: payload, expires: expires)
    for link in links.keys.sorted()
    where links[link]?.contains(where: { Self.matches($0, topic) }) == true {
      put(.toBoard, link, topic, payload, nil, now)
    }
  }

  private func put(
    _ direction: Direction, _ link: Int, _ topic: String, _ payload: [UInt8], _ expires: Double?,
    ticket: Int = 0, _ now: Double
  ) {
    guard Double.random(in: 0..<1, using: &chance) >= faults.loss else { return }
    let count = Double.random(in: 0..<1, using: &chance) < faults.repetition ? 2 : 1
    for _ in 0..<count {
      let way = Way(isToBroker: direction == .toBroker, link: link, topic: topic)
      let delay = Double.random(in: faults.delay, using: &chance)
      let due = max(now + delay, latest[way] ?? 0)
      latest[way] = due
      sent += 1
      inFlight.append(
        OutgoingMessage(
          direction: direction, link: link, topic: topic, payload: payload, expires: expires,
          ticket: ticket, due: due, number: sent))
    }
  }

  // MARK: Filters

  /// MQTT 5.0, 4.7.1: `+` stands for a level, `#` at the end for any number of them.
  public static func matches(_ filter: String, _ topic: String) -> Bool {
    let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    for (index, level) in wanted.enumerated() {
      if level == "#" { return true }
      guard index < levels.count, level == "+" || level == levels[index] else { return false }
    }
    return wanted.count == levels.count
  }
}

/// Failures between boards and their broker.
public struct VirtualFaults: Sendable {
  /// The share of all messages, in either direction.
  public var loss: Double
  public var repetition: Double
  /// In seconds.
  public var delay: ClosedRange<Double>

  public init(loss: Double, repetition: Double, delay: ClosedRange<Double>) {
    self.loss = loss
    self.repetition = repetition
    self.delay = delay
  }

  public static let none = VirtualFaults(loss: 0, repetition: 0, delay: 0.1...0.1)
  public static let rough = VirtualFaults(loss: 0.15, repetition: 0.2, delay: 0.1...40)
}
