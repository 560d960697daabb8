import Core

/// A satellite that the receiver tracks.
struct ReceivedSignal: Equatable {
  let satellite: Constellation.Satellite
  /// Carrier-to-noise density, whole dB-Hz, as receivers report it.
  let strength: Int
}

/// The acquired satellites and their signal strengths, which a receiver reports long before a fix.
/// They follow the search without influence on it: only `SatelliteSearch` determines the time of
/// the fix.
///
/// Every figure with its source: docs/design/simulation-model.md, "Signals".
struct ReceivedSignals {
  /// The signals of the last epoch with a report, from the highest satellite on.
  private(set) var tracked: [ReceivedSignal] = []

  private var channels: [Channel]
  private var pace = Pace.tracking
  private var random: SeededRandom

  /// The state of each satellite, by its number.
  private struct Channel {
    /// The present shadowing: mean 0, standard deviation 1.
    var shadow: Double
    /// The measured strength in dB-Hz; nil: not acquired.
    var strength: Double?
  }

  init(random: SeededRandom) {
    var random = random
    channels = (0...Constellation.maxNumber).map { _ in
      Channel(shadow: random.gaussian(), strength: nil)
    }
    self.random = random
  }

  /// The receiver is switched off or sleeps.
  mutating func reset() {
    for index in channels.indices { channels[index].strength = nil }
    tracked.removeAll(keepingCapacity: true)
  }

  /// A search begins. Tracked signals stay tracked: the position was lost, not every signal.
  mutating func search(after start: StartKind, needed: Seconds) {
    pace = Pace(start, needed: needed, random: &random)
  }

  /// - Parameters:
  ///   - time: since the last call.
  ///   - needed: how many satellites are tracked for certain, from the highest on: those used in
  ///     the position, or those that the progress of the search requires.
  mutating func advance(
    for time: Seconds, under reception: ReceptionView, path: SignalPath, needed: Int,
    _ visible: [Constellation.Satellite]
  ) {
    let kept = Self.remainder(after: time, constant: SignalPath.shadowLasts)
    let renewed = (1 - kept * kept).squareRoot()
    let lag = Self.remainder(after: time, constant: Self.settling)
    pace.delay -= time
    tracked.removeAll(keepingCapacity: true)
    for (rank, satellite) in visible.enumerated() {
      var channel = channels[satellite.number]
      channel.shadow = channel.shadow * kept + renewed * random.gaussian()
      var arriving = path.strength(
        elevation: satellite.elevation, shadow: channel.shadow,
        isBlocked: rank >= reception.received)
      arriving += reception.gain
      if rank < needed { arriving = max(arriving, path.weakestUseful + channel.shadow) }
      if let before = channel.strength {
        channel.strength = arriving + (before - arriving) * lag
      } else if rank < needed || finds(arriving, in: time) {
        channel.strength = arriving
      }
      if let strength = channel.strength, strength < Self.trackingLimit { channel.strength = nil }
      channels[satellite.number] = channel
      if let strength = channel.strength {
        tracked.append(ReceivedSignal(satellite: satellite, strength: Int(strength + 0.5)))
      }
    }
  }

  /// -167 dBm: below that a tracked signal is lost.
  private static let trackingLimit = 7.0
  /// -157 dBm: a weaker signal is acquired only by chance.
  private static let acquisitionLimit = 17.0
  /// From here on a stronger signal is not acquired any faster.
  private static let strong = 35.0
  /// The time constant of the receiver's averaging.
  private static let settling: Seconds = 1.5

  /// Whether a signal of that strength is acquired within that time. Weak signals take longer: a
  /// lower power requires a longer integration.
  private mutating func finds(_ strength: Double, in time: Seconds) -> Bool {
    guard pace.delay <= 0, strength > Self.trackingLimit + 1 else { return false }
    let missing = max(0, Self.strong - max(strength, Self.acquisitionLimit))
    let constant = pace.each * (1 + missing * missing / 9)
    return random.chance(1 - Self.remainder(after: time, constant: constant))
  }

  /// The remaining share after exponential decay; e^-x to its third term, because no libm is
  /// called.
  private static func remainder(after time: Seconds, constant: Seconds) -> Double {
    let x = time / constant
    return 1 / (1 + x + x * x / 2)
  }

  /// The speed of acquisition under open sky.
  private struct Pace {
    /// The delay of the first acquisition.
    var delay: Seconds
    /// The mean acquisition time of a strong signal after that.
    var each: Seconds

    /// After a bridge, signals are acquired as fast as in a hot start.
    static let tracking = Pace(delay: 0, each: 0.7)

    private init(delay: Seconds, each: Seconds) {
      self.delay = delay
      self.each = each
    }

    init(_ start: StartKind, needed: Seconds, random: inout SeededRandom) {
      switch start {
      case .hot: self = .tracking
      case .warm: self = Pace(delay: Seconds(random.uniform(in: 1...2)), each: 3)
      case .cold: self = Pace(delay: Seconds(random.uniform(in: 4...10)), each: 10)
      }
      delay = min(delay, needed * 0.35)
    }
  }
}

/// The path between the satellites and the antenna.
struct SignalPath {
  /// The time constant of a satellite's shadowing.
  static let shadowLasts: Seconds = 30

  /// dB-Hz: the maximum of a satellite where reception is blocked.
  private static let strongestLeak = 15.0

  /// dB-Hz, of a satellite in the zenith.
  let zenith: Double
  /// The reduction for a satellite on the horizon, in dB.
  let horizon: Double
  /// dB, standard deviation between satellites and over time.
  let spread: Double
  /// dB-Hz: the minimum of a satellite used in a position.
  let weakestUseful: Double
  /// Whether reception is blocked, so that no search can succeed.
  let isDead: Bool

  /// - Parameter penetration: see `Penetration`; 0 except indoors.
  init(reception: Reception, penetration: Double) {
    isDead = reception == .none || (reception == .indoors && penetration == 0)
    switch reception {
    case .open: (zenith, horizon, spread, weakestUseful) = (47, 15, 1.5, 30)
    case .street: (zenith, horizon, spread, weakestUseful) = (38, 12, 4, 24)
    case .indoors:
      (zenith, horizon, spread, weakestUseful) =
        penetration > 0 ? (19.5 + 55 * penetration, 4, 2.5, 16) : (3, 2, 3.5, 15)
    case .none: (zenith, horizon, spread, weakestUseful) = (3, 2, 3.5, 11)
    }
  }

  /// - Parameters:
  ///   - shadow: of this satellite; mean 0, standard deviation 1.
  ///   - isBlocked: whether buildings block it.
  func strength(elevation: Int, shadow: Double, isBlocked: Bool) -> Double {
    guard !isBlocked else { return 0 }
    let down = Double(90 - elevation) / 90
    let strength = zenith - horizon * down * down + spread * shadow
    return isDead ? min(strength, Self.strongestLeak) : strength
  }
}
