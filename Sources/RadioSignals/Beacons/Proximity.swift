import Core

#if canImport(Glibc)
  import Glibc
#endif

/// How near a beacon is, as coarse as that can be told from its strength.
public enum Proximity: String, CaseIterable, Sendable {
  case immediate
  case near
  case far
  /// It is heard too seldom to say.
  case unknown
}

/// From the strengths at which a beacon is heard to its proximity.
///
/// A body or a hand in between takes 10 to 20 dB, reflections add and take as much: a single
/// strength tells nothing. So the median over the last seconds counts, and of the distance that it
/// stands for, which halves or doubles by 6 dB of error, no more than a class: up to 0.5 m
/// immediate, up to 4 m near, beyond far. The distance is that of free space (an exponent of 2;
/// measured indoors are 1.6 to 3.3, ITU-R P.1238). A class is left only when the distance is a
/// fifth beyond its edge, so that a beacon at the edge does not flicker.
public struct ProximityFilter: Sendable {
  /// What counts of the past.
  static let window: Seconds = 5
  /// What counts where beacons are compared: a radio that listens for half of the time hears too
  /// little within seconds.
  private static let memory: Seconds = 20
  /// With fewer heard within the window nothing is said.
  private static let fewest = 2
  /// A beacon that sends a hundred times a second has its last ones counted.
  private static let most = 16
  private static let immediate: Metres = 0.5
  private static let near: Metres = 4
  private static let hysteresis = 1.2

  /// In the order of time.
  private var samples: [(at: BootInstant, strength: DecibelMilliwatts)] = []
  /// So many of them are within the window.
  private var recent = 0
  /// As the beacon tells it, which everybody can get wrong.
  private var strengthAtOneMetre: DecibelMilliwatts = -59
  public private(set) var proximity = Proximity.unknown

  public init() {}

  /// Above 20 dBm nothing is received, and 127 is BlueZ's word for unknown.
  public static func isPossible(_ strength: DecibelMilliwatts) -> Bool {
    strength >= -128 && strength <= 20
  }

  public mutating func heard(
    _ strength: DecibelMilliwatts, strengthAtOneMetre: DecibelMilliwatts, at now: BootInstant
  ) {
    guard Self.isPossible(strength) else { return }
    self.strengthAtOneMetre = strengthAtOneMetre
    samples.append((now, strength))
    recent += 1
    if samples.count > Self.most { samples.removeFirst() }
    recent = min(recent, samples.count)
  }

  public mutating func update(at now: BootInstant) {
    samples.removeAll { now - $0.at >= Self.memory }
    recent = samples.count { now - $0.at < Self.window }
    proximity = distance.map(next) ?? .unknown
  }

  /// The median of what was heard within the window; nil: too little was.
  public var median: DecibelMilliwatts? { Self.median(samples.suffix(recent)) }

  private static func median(
    _ samples: ArraySlice<(at: BootInstant, strength: DecibelMilliwatts)>
  ) -> DecibelMilliwatts? {
    guard samples.count >= fewest else { return nil }
    let sorted = samples.map(\.strength).sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// As far away as it seems to be, by the median; nil: it is heard too seldom to say.
  var distance: Metres? { median.map(distance) }

  /// The same over a longer time, to compare beacons.
  var steadyDistance: Metres? { Self.median(samples[...]).map(distance) }

  /// The median over that time; nil: too little was heard to be more than chance.
  func steadyMedian(at now: BootInstant) -> DecibelMilliwatts? {
    let recent = samples.drop { now - $0.at >= Self.memory }
    return recent.count > Self.fewest ? Self.median(recent) : nil
  }

  /// The median within the window; nil: too little was heard.
  func presentMedian(at now: BootInstant) -> DecibelMilliwatts? {
    Self.median(samples.drop { now - $0.at >= Self.window })
  }

  private func distance(_ strength: DecibelMilliwatts) -> Metres {
    Self.distance(strength, strengthAtOneMetre: strengthAtOneMetre)
  }

  /// Of free space.
  public static func distance(
    _ strength: DecibelMilliwatts, strengthAtOneMetre: DecibelMilliwatts
  ) -> Metres {
    Metres(pow(10, (strengthAtOneMetre - strength).value / 20))
  }

  private func next(_ distance: Metres) -> Proximity {
    var immediate = Self.immediate
    var near = Self.near
    switch proximity {
    case .immediate: immediate = immediate * Self.hysteresis
    case .near:
      immediate = immediate / Self.hysteresis
      near = near * Self.hysteresis
    case .far: near = near / Self.hysteresis
    case .unknown: break
    }
    if distance <= immediate { return .immediate }
    return distance <= near ? .near : .far
  }
}
