import Core

#if canImport(Glibc)
  import Glibc
#endif

/// How near a beacon is, in the resolution that its signal strength allows.
public enum Proximity: String, CaseIterable, Sendable {
  case immediate
  case near
  case far
  /// Received too rarely for an estimate.
  case unknown
}

/// Estimates the proximity of a beacon from its signal strengths.
///
/// A body or a hand in between costs 10 to 20 dB, and reflections add or subtract as much, so that
/// a single strength means nothing. Therefore the median of the last seconds is used. The distance,
/// which an error of 6 dB halves or doubles, gives only a class: up to 0.5 m immediate, up to 4 m
/// near, beyond that far. The distance is that of free space (exponent 2; indoor measurements give
/// 1.6 to 3.3, ITU-R P.1238). A class is left only when the distance is a fifth beyond its edge, so
/// that a beacon at the edge does not flicker.
struct ProximityFilter: Sendable {
  /// The window for the proximity.
  static let window: Seconds = 5
  /// The window for comparing beacons: with a duty cycle of one half, a few seconds contain too
  /// little.
  private static let memory: Seconds = 20
  /// The minimum number of receptions within the window.
  private static let fewest = 2
  /// The limit of samples, for a beacon that sends a hundred times a second.
  private static let most = 16
  private static let immediate: Metres = 0.5
  private static let near: Metres = 4
  private static let hysteresis = 1.2

  /// In the order of time.
  private var samples: [(at: BootInstant, strength: DecibelMilliwatts)] = []
  /// The number of samples within the window.
  private var recent = 0
  /// The beacon's own value, which may be wrong.
  private var strengthAtOneMetre: DecibelMilliwatts = -59
  private(set) var proximity = Proximity.unknown

  init() {}

  /// No signal above 20 dBm is received, and 127 is BlueZ's value for unknown.
  static func isPossible(_ strength: DecibelMilliwatts) -> Bool {
    strength >= -128 && strength <= 20
  }

  mutating func received(
    _ strength: DecibelMilliwatts, strengthAtOneMetre: DecibelMilliwatts, at now: BootInstant
  ) {
    guard Self.isPossible(strength) else { return }
    self.strengthAtOneMetre = strengthAtOneMetre
    samples.append((now, strength))
    recent += 1
    if samples.count > Self.most { samples.removeFirst() }
    recent = min(recent, samples.count)
  }

  mutating func update(at now: BootInstant) {
    samples.removeAll { now - $0.at >= Self.memory }
    recent = samples.count { now - $0.at < Self.window }
    proximity = distance.map(next) ?? .unknown
  }

  /// The median within the window; nil: too few receptions.
  var median: DecibelMilliwatts? { Self.median(samples.suffix(recent)) }

  private static func median(
    _ samples: ArraySlice<(at: BootInstant, strength: DecibelMilliwatts)>
  ) -> DecibelMilliwatts? {
    guard samples.count >= fewest else { return nil }
    let sorted = samples.map(\.strength).sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The estimated distance from the median; nil: received too rarely.
  var distance: Metres? { median.map(distance) }

  /// The same over a longer time, for comparing beacons.
  var steadyDistance: Metres? { Self.median(samples[...]).map(distance) }

  /// The median over that time; nil: too few receptions to be significant.
  func steadyMedian(at now: BootInstant) -> DecibelMilliwatts? {
    let recent = samples.drop { now - $0.at >= Self.memory }
    return recent.count > Self.fewest ? Self.median(recent) : nil
  }

  /// The median within the window; nil: too few receptions.
  func presentMedian(at now: BootInstant) -> DecibelMilliwatts? {
    Self.median(samples.drop { now - $0.at >= Self.window })
  }

  private func distance(_ strength: DecibelMilliwatts) -> Metres {
    Self.distance(strength, strengthAtOneMetre: strengthAtOneMetre)
  }

  /// The distance in free space.
  static func distance(
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
