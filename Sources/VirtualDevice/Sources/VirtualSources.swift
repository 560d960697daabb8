import Core

/// The sources of a virtual board, and the truth that they process ahead of its clock.
final class VirtualSources {
  /// The maximum delay of a conclusion about the past, for example that a stay was one of half an
  /// hour.
  static let hindsight: Seconds = .minutes(50)
  /// How far beyond that the truth is read at a time.
  private static let stride: Seconds = .minutes(15)

  let all: [VirtualSource]
  private let clock: VirtualClock
  private var ahead: TruthAhead
  /// The pieces that were read and are not over yet.
  private var spells: [TruthSegment] = []
  /// The truth before this moment was read.
  private var covered: UTCInstant

  /// - Parameter truth: not yet queried.
  init(
    _ kinds: Set<SourceKind>, truth: any GroundTruth, clock: VirtualClock, seed: UInt64
  ) {
    self.clock = clock
    let start = max(truth.start, clock.bootTime)
    ahead = TruthAhead(truth.another(), from: start)
    covered = start
    all = SourceKind.allCases.filter(kinds.contains).map { kind in
      VirtualSource(kind, kind.behaviour(from: start, seed: seed), clock: clock)
    }
    read(beyond: start)
  }

  /// The energy that they have drawn since the board's start.
  var energy: Joules {
    all.reduce(Joules(0)) { $0 + $1.energy(over: clock.now - .zero) }
  }

  /// When one of them reports, or the truth has to be read on; nil: never again.
  var nextEvent: BootInstant? {
    all.reduce(ahead.hasEnded ? nil : clock.instant(at: covered - Self.hindsight)) {
      .earlier($0, $1.nextEvent)
    }
  }

  func advance(to now: BootInstant) {
    let time = clock.time(at: now)
    if time + Self.hindsight >= covered { read(beyond: time) }
    for source in all { source.advance(to: now, truth: moment) }
    // An answer may refer to a moment just past.
    spells.removeAll { $0.ends < time - 60 }
  }

  private func read(beyond time: UTCInstant) {
    while covered <= time + Self.hindsight + Self.stride, let spell = ahead.next() {
      covered = spell.ends
      spells.append(spell)
      for source in all { source.follow(spell) }
    }
  }

  private func moment(at time: UTCInstant) -> TruthSegment.Moment? {
    spells.last { $0.begins <= time && time <= $0.ends }?.moment(at: time)
  }
}
