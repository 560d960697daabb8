import Records
import Core

/// The navigation data that a receiver has when it starts to search.
public enum StartKind: String, Sendable, CaseIterable {
  /// None: it searches the whole sky and receives everything again.
  case cold
  /// Almanac, approximate time and position, but satellites in view whose ephemeris is missing.
  case warm
  /// Time, position, and fresh ephemeris of the satellites in view.
  case hot
}

/// A receiver's navigation data between searches, in its backup domain: time, the last position,
/// and the ephemeris that it has received.
///
/// A GPS satellite sends its ephemeris in 18 of every 30 s (IS-GPS-200, subframes 1 to 3), and it
/// is valid for 2 to 4 h. A first fix needs that of four satellites; the others are received while
/// tracking continues. A receiver whose supply is cut right after the first fix of a cold start
/// starts slowly again.
struct ReceiverMemory {
  let ephemerisLife: Seconds
  /// Months-old almanacs still indicate which satellites to search for; older ones do not help.
  static let almanacLife = Seconds.days(90)
  /// Satellites rise: the ephemeris of all visible satellites stays complete for about this long.
  static let receptionChangesAfter = Seconds.minutes(30)
  /// One frame of the navigation message.
  static let frame: Seconds = 30

  private(set) var knowsTime = false
  private var lastFix: BootInstant?
  /// The share of the satellites in view at `gathered` whose ephemeris is known.
  private var completeness = 0.0
  private var gathered: BootInstant?
  /// Uninterrupted tracking since the last whole frame.
  private var unbroken: Seconds = 0

  init(ephemerisLife: Seconds) { self.ephemerisLife = ephemerisLife }

  /// The supply and the backup supply were cut.
  mutating func wipe() { self = ReceiverMemory(ephemerisLife: ephemerisLife) }

  /// It was commanded to restart.
  mutating func forget(for start: StartKind) {
    interrupted()
    switch start {
    case .hot: break
    case .warm:
      completeness = 0
      gathered = nil
    case .cold: wipe()
    }
  }

  mutating func timeFound() { knowsTime = true }

  /// The first fix of a search with that start.
  mutating func fixFound(after start: StartKind, at now: BootInstant) {
    lastFix = now
    knowsTime = true
    unbroken = 0
    guard start != .hot else { return }
    completeness = max(share(at: now), 0.5)
    gathered = now
  }

  /// Tracking with sufficient reception for the navigation message. Only a whole frame without a
  /// break counts.
  mutating func tracked(for time: Seconds, at now: BootInstant) {
    lastFix = now
    unbroken += time
    guard unbroken >= Self.frame else { return }
    unbroken = 0
    completeness = 1
    gathered = now
  }

  /// The signal was too weak for the navigation message, or lost.
  mutating func interrupted() { unbroken = 0 }

  /// The kind of start of a search that begins now.
  mutating func start(at now: BootInstant, random: inout SeededRandom) -> StartKind {
    guard knowsTime, let lastFix, now - lastFix <= Self.almanacLife else { return .cold }
    return random.chance(share(at: now)) ? .hot : .warm
  }

  /// The share of the satellites now in view whose ephemeris is known and fresh.
  func share(at now: BootInstant) -> Double {
    guard let gathered else { return 0 }
    let age = now - gathered
    guard age <= ephemerisLife else { return 0 }
    let turned = (age - Self.receptionChangesAfter) / (ephemerisLife - Self.receptionChangesAfter)
    return completeness * (1 - max(0, turned))
  }
}

extension ReceiverEnergyModel {
  /// The duration of the shortest searches, as a share of the data sheet's figure.
  static let luckiestSearch = 0.7
  /// The maximum saving by known satellites, as a share of the difference between a warm and a hot
  /// start.
  static let savedByKnowing = 0.6

  /// The duration of a search under open sky: the data sheet's figure with the scatter of real
  /// starts. A warm start after a short pause needs few satellites and takes anything between hot
  /// and warm.
  func searchTime(_ start: StartKind, knownShare: Double, random: inout SeededRandom) -> Seconds {
    let typical =
      switch start {
      case .cold: coldStart
      case .hot: isSlow(&random) ? slowStart : hotStart
      case .warm:
        warmStart - (warmStart - hotStart) * (knownShare * Self.savedByKnowing * random.uniform())
      }
    let late = random.uniform()
    return typical
      * max(Self.luckiestSearch, 1 + 0.12 * random.gaussian() + 0.5 * late * late * late * late)
  }

  /// No random number is used where there are no slow starts, so that other receivers' results stay
  /// the same.
  private func isSlow(_ random: inout SeededRandom) -> Bool {
    slowStartPercent > 0 && random.chance(slowStartPercent / 100)
  }
}
