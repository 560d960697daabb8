import Ports
import GNSS
import Core

/// The parts and settings of a virtual board.
public struct VirtualBoardSettings: Sendable {
  var receiver: VirtualReceiverSettings
  /// The lines of its power switch.
  var lines: Set<PowerLine>
  /// Nil: the board has no coarse source.
  var coarse: VirtualCoarseSettings?
  /// The other sources of motion and surroundings.
  var sources: Set<SourceKind>
  /// Nil: it has no beacon radio.
  var beacons: VirtualBeaconSettings?
  var monitor: VirtualMonitorSettings
  var seed: UInt64

  public init(
    receiver: VirtualReceiverSettings = .init(), lines: Set<PowerLine> = [.supply],
    coarse: VirtualCoarseSettings? = .init(), sources: Set<SourceKind> = [],
    beacons: VirtualBeaconSettings? = nil, monitor: VirtualMonitorSettings = .init(),
    seed: UInt64 = 1
  ) {
    self.receiver = receiver
    self.lines = lines
    self.monitor = monitor
    self.coarse = coarse
    self.sources = sources
    self.beacons = beacons
    self.seed = seed
  }
}

/// A whole board in memory: a clock, the ground truth of its position, a receiver, its power
/// switch, a current monitor, a coarse source, sources of evidence, and a beacon radio.
///
/// Nothing happens by itself. The loop reads `nextEvent`, takes the earlier of it and its own
/// timers, calls `advance(to:)`, and then reads what has arrived from the ports. While the receiver
/// is off nothing happens, so the clock jumps. The same truth, settings and calls give the same
/// bytes.
public final class VirtualBoard: VirtualWorld {
  public let clock: VirtualClock
  public let groundTruth: any GroundTruth
  public let receiver: VirtualReceiver
  public let powerSwitch: VirtualSwitch
  public let monitor: VirtualMonitor
  public let coarse: VirtualCoarse?
  public let beaconRadio: VirtualBeaconRadio?
  /// In the order of their kinds.
  public var sources: [VirtualSource] { evidence?.all ?? [] }

  private let evidence: VirtualSources?

  /// - Parameter bootTime: when the board boots; nil: when the board's truth begins.
  public init(
    groundTruth: any GroundTruth, settings: VirtualBoardSettings = .init(),
    bootTime: UTCInstant? = nil
  ) {
    let clock = VirtualClock(bootTime: bootTime ?? groundTruth.start)
    self.clock = clock
    // Before the truth is queried.
    evidence =
      settings.sources.isEmpty
      ? nil
      : VirtualSources(
        settings.sources, truth: groundTruth, clock: clock, seed: settings.seed)
    beaconRadio = settings.beacons.map {
      VirtualBeaconRadio($0, truth: groundTruth.another(), clock: clock)
    }
    self.groundTruth = groundTruth
    receiver = VirtualReceiver(
      settings: settings.receiver, clock: clock, groundTruth: groundTruth,
      random: SeededRandom(seed: settings.seed, stream: 1))
    powerSwitch = VirtualSwitch(receiver: receiver, lines: settings.lines)
    monitor = VirtualMonitor(
      settings: settings.monitor, clock: clock, receiver: receiver,
      random: SeededRandom(seed: settings.seed, stream: 2))
    coarse = settings.coarse.map {
      VirtualCoarse(
        settings: $0, clock: clock, groundTruth: groundTruth,
        random: SeededRandom(seed: settings.seed, stream: 3))
    }
  }

  public var now: BootInstant { clock.now }

  /// The next moment at which data may arrive; nil: nothing until the caller acts.
  public var nextEvent: BootInstant? {
    .earlier(evidence?.nextEvent, .earlier(receiver.nextEvent, coarse?.nextEvent))
  }

  /// The energy that the sources of evidence, the coarse source and the radio have drawn since the
  /// board's start, in addition to the board's.
  public var sourcesEnergy: Joules {
    (evidence?.energy ?? 0) + SourceKind.cell.energy.question * Double(coarse?.answers ?? 0)
      + (beaconRadio?.energy ?? 0)
  }

  /// The constant power of the sources of evidence.
  public var sourcesPower: Watts {
    sources.reduce(0) { $0 + $1.kind.energy.power }
  }

  /// The search for the minimum energy of any schedule. Call it before the board is used.
  public func energyBoundSearch(within limits: ErrorLimits) -> EnergyBoundSearch {
    EnergyBoundSearch(
      groundTruth.another(), limits: limits, receiver: receiver.settings, walls: receiver.walls)
  }

  /// Moves the clock to `instant`, with all events until then, but not beyond the end of the truth.
  public func advance(to instant: BootInstant) {
    var isReportedOnly = false
    while let next = nextEvent, next <= instant {
      isReportedOnly = next == instant && evidence?.nextEvent == next
      clock.advance(to: next)
      receiver.advance(to: next)
      coarse?.advance(to: next)
      evidence?.advance(to: next)
    }
    // A ground truth that is not queried also has to detect its end. A step for a source only must
    // not change the truth's state: sources must not affect the receiver.
    let time = clock.time(at: instant)
    if isReportedOnly { groundTruth.follow(to: time) } else { _ = groundTruth.state(at: time) }
    clock.advance(to: min(instant, end ?? instant))
  }

  /// The true UTC when the board's clock stood at zero.
  public var bootTime: UTCInstant { clock.bootTime }

  /// The true civil time at a moment of the board's clock.
  public func time(at instant: BootInstant) -> UTCInstant { clock.time(at: instant) }

  /// The truth's end on the board's clock; nil while it is unknown.
  public var end: BootInstant? { groundTruth.end.map(clock.instant) }

  /// The ground truth has ended: nothing after it is meaningful.
  public var isOver: Bool { groundTruth.hasEnded }
}
