import Quantities

/// The parts and settings of a virtual board.
public struct VirtualBoardSettings: Sendable {
  public var receiver: VirtualReceiverSettings
  /// Nil: the board has no coarse source.
  public var coarse: VirtualCoarseSettings?
  public var seed: UInt64

  public init(
    receiver: VirtualReceiverSettings = .init(), coarse: VirtualCoarseSettings? = .init(),
    seed: UInt64 = 1
  ) {
    self.receiver = receiver
    self.coarse = coarse
    self.seed = seed
  }
}

/// A whole board in memory: a clock, the ground truth of where it is carried, a receiver, its power
/// switch, a current monitor and a coarse source.
///
/// Nothing moves by itself. The loop reads `nextEvent`, takes the earlier of it and its own timers,
/// calls `advance(to:)`, and then reads what has arrived from the ports. While the receiver is off
/// nothing happens, so the clock jumps. The same truth, settings and calls give the same bytes.
public final class VirtualBoard {
  public let clock: VirtualClock
  public let groundTruth: any GroundTruth
  public let receiver: VirtualReceiver
  public let powerSwitch: VirtualSwitch
  public let monitor: VirtualMonitor
  public let coarse: VirtualCoarse?

  /// - Parameter bootTime: when the board boots; nil: when the board's truth begins.
  public init(
    groundTruth: any GroundTruth, settings: VirtualBoardSettings = .init(),
    bootTime: UTCInstant? = nil
  ) {
    let clock = VirtualClock(bootTime: bootTime ?? groundTruth.start)
    self.clock = clock
    self.groundTruth = groundTruth
    receiver = VirtualReceiver(
      settings: settings.receiver, clock: clock, groundTruth: groundTruth,
      random: SeededRandom(seed: settings.seed, stream: 1))
    powerSwitch = VirtualSwitch(receiver: receiver)
    monitor = VirtualMonitor(
      clock: clock, receiver: receiver, random: SeededRandom(seed: settings.seed, stream: 2))
    coarse = settings.coarse.map {
      VirtualCoarse(
        settings: $0, clock: clock, groundTruth: groundTruth,
        random: SeededRandom(seed: settings.seed, stream: 3))
    }
  }

  /// The next moment at which something may arrive by itself; nil: nothing until the caller acts.
  public var nextEvent: BootInstant? {
    .earlier(receiver.nextEvent, coarse?.nextEvent)
  }

  /// Moves the clock to `instant`, and everything that happens until then with it. Goes no further
  /// than the truth does.
  public func advance(to instant: BootInstant) {
    while let next = nextEvent, next <= instant {
      clock.advance(to: next)
      receiver.advance(to: next)
      coarse?.advance(to: next)
    }
    // A ground truth that is not queried also has to find out whether it has ended.
    _ = groundTruth.state(at: clock.time(at: instant))
    clock.advance(to: min(instant, end ?? instant))
  }

  /// The true UTC when the board's clock stood at zero.
  public var bootTime: UTCInstant { clock.bootTime }

  /// The true civil time at a moment of the board's clock.
  public func time(at instant: BootInstant) -> UTCInstant { clock.time(at: instant) }

  /// The truth's end on the board's clock; nil while it is not known.
  public var end: BootInstant? { groundTruth.end.map(clock.instant) }

  /// The ground truth has ended: nothing after it is meaningful.
  public var isOver: Bool { groundTruth.hasEnded }
}
