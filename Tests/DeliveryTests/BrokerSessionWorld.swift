import Core
import TestSupport
import Testing

@testable import Delivery

/// Repeated connections to a broker that loses, delays and dies, until everything is received.
@Suite struct BrokerSessionWorld {
  /// The items in an outbox and at a broker.
  private struct World {
    var random: SplitMix
    var waiting: [OutboxItem]
    var received: [Int64] = []
    var arrived: [[UInt8]] = []
    var unacknowledged: [(number: Int64, payload: [UInt8])] = []
    var underWayAtMost = 0
    var isOver = false

    mutating func chance(_ one: UInt64, in all: UInt64) -> Bool { random.next() % all < one }
  }

  private static func item(_ number: Int64) -> OutboxItem {
    OutboxItem(
      number: number, to: .owntracks, layer: "track_points", record: number, topic: "t",
      payload: Array("\(number)".utf8))
  }

  /// - Returns: the resulting events.
  private static func perform(
    _ effect: BrokerSession.Effect, _ world: inout World, isSound: Bool
  ) -> [BrokerSession.Event] {
    switch effect {
    case .connect:
      return isSound || world.chance(3, in: 4)
        ? [
          .broker(
            .connected(.init(version: .five, hasSession: true, receiveMaximum: 7)))
        ] : [.broker(.failed(BrokerFailure(.refused, at: broker)))]
    case .fetch(let recipient, let after, let most):
      let items = world.waiting.filter { $0.number > after }.prefix(most)
      return [.items(recipient, Array(items))]
    case .publish(let message, let number):
      world.arrived.append(message.payload)
      world.unacknowledged.append((number, message.payload))
      world.underWayAtMost = max(world.underWayAtMost, world.unacknowledged.count)
      return []
    case .storeResults(let settlements):
      let numbers = Set(settlements.map(\.number))
      world.received += settlements.map(\.number)
      world.waiting.removeAll { numbers.contains($0.number) }
      return []
    case .disconnect: return [.broker(.disconnected)]
    case .ended:
      world.isOver = true
      return []
    case .subscribe, .collected, .received, .blocked, .connectAnew, .flooded, .listenAgain,
      .finished, .answered, .unblocked:
      return []
    }
  }

  private static let broker = BrokerFailureBroker.address

  private static func visit(_ world: inout World, from start: BootInstant, isSound: Bool) {
    let plan = BrokerPlan(brokers: [broker], recipients: [.owntracks])
    var session = BrokerSession(plan)
    var now = start
    world.unacknowledged = []
    world.isOver = false
    var events: [BrokerSession.Event] = [.begin]
    for _ in 0..<10_000 where !world.isOver {
      if events.isEmpty {
        if !world.unacknowledged.isEmpty, isSound || world.chance(9, in: 10) {
          let one = world.unacknowledged.removeFirst()
          events = [.broker(.acknowledged(number: one.number, .success))]
          now = now + 0.01
        } else if !isSound, world.chance(1, in: 3) {
          events = [.broker(.failed(BrokerFailure(.closed, at: broker)))]
        } else {
          now = session.wake ?? now + 1
          events = [.woke]
        }
      }
      let event = events.removeFirst()
      // The process is killed: what it has not settled is unchanged.
      if !isSound, world.chance(1, in: 200) { return }
      for effect in session.step(event, at: now) {
        events += perform(effect, &world, isSound: isSound)
      }
    }
    #expect(world.isOver, "the visit has no end")
  }

  @Test(
    "over a sound line everything is sent once, in order", arguments: 1...20 as ClosedRange<UInt64>
  )
  func sound(seed: UInt64) {
    let items = (1...Int64(250 + seed)).map(Self.item)
    var world = World(random: SplitMix(seed: seed), waiting: items)
    Self.visit(&world, from: .boot(5), isSound: true)
    #expect(world.arrived == items.map(\.payload))
    #expect(world.received == items.map(\.number))
    #expect(world.waiting.isEmpty)
    #expect(world.underWayAtMost == 7)
  }

  @Test(
    "whatever fails, nothing is lost, and a retry has the same bytes",
    arguments: 100...140 as ClosedRange<UInt64>)
  func broken(seed: UInt64) {
    let items = (1...Int64(300)).map(Self.item)
    var world = World(random: SplitMix(seed: seed), waiting: items)
    for visit in 0..<1000 where !world.waiting.isEmpty {
      Self.visit(&world, from: .boot(Double(visit) * 100), isSound: false)
    }
    #expect(world.waiting.isEmpty)
    #expect(Set(world.arrived) == Set(items.map(\.payload)))
    #expect(Set(world.received).count == world.received.count, "settled twice")
  }
}

/// A broker's address for failures.
private enum BrokerFailureBroker {
  static var address: BrokerAddress {
    guard let address = try? BrokerAddress(parsing: "mqtt://broker") else {
      preconditionFailure("an address")
    }
    return address
  }
}
