import Records
import Core

/// How much a receiver knows when it starts to search.
public enum StartKind: String, Sendable, CaseIterable {
  /// Nothing: it searches the whole sky and receives everything again.
  case cold
  /// Almanac, approximate time and position, but satellites in view whose ephemeris is missing.
  case warm
  /// Time, position, and fresh ephemeris of the satellites in view.
  case hot
}

/// What a receiver remembers between searches, in its backup domain: time, the last position, and
/// the ephemeris that it had the time to receive.
///
/// A GPS satellite sends its ephemeris in 18 of every 30 s (IS-GPS-200, subframes 1 to 3), and it
/// is good for 2 to 4 h. A first fix needs that of four satellites; the others are received while
/// tracking goes on. A receiver that is cut right after the first fix of a cold start starts slowly
/// again.
struct ReceiverMemory {
  let ephemerisLife: Seconds
  /// Months-old almanacs still say which satellites to look for; older ones do not help.
  static let almanacLife = Seconds.days(90)
  /// New satellites rise: the ephemeris of the whole sky stays complete for about this long.
  static let skyTurnsAfter = Seconds.minutes(30)
  /// One frame of the navigation message.
  static let frame: Seconds = 30

  private(set) var knowsTime = false
  private var lastFix: BootInstant?
  /// Of the satellites in view when `gathered`: the share whose ephemeris is known.
  private var completeness = 0.0
  private var gathered: BootInstant?
  /// Good tracking since the last whole frame.
  private var unbroken: Seconds = 0

  init(ephemerisLife: Seconds) { self.ephemerisLife = ephemerisLife }

  /// The supply and the backup supply were cut.
  mutating func wipe() { self = ReceiverMemory(ephemerisLife: ephemerisLife) }

  /// It was told to start again like this.
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

  /// The first fix of a search that had started like this.
  mutating func fixFound(after start: StartKind, at now: BootInstant) {
    lastFix = now
    knowsTime = true
    unbroken = 0
    guard start != .hot else { return }
    completeness = max(share(at: now), 0.5)
    gathered = now
  }

  /// Tracking under a sky that is good enough to read the navigation message. Only a whole frame
  /// without a break counts.
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

  /// How a search that starts now would start.
  mutating func start(at now: BootInstant, random: inout SeededRandom) -> StartKind {
    guard knowsTime, let lastFix, now - lastFix <= Self.almanacLife else { return .cold }
    return random.chance(share(at: now)) ? .hot : .warm
  }

  /// The share of the satellites now in view whose ephemeris is known and fresh.
  func share(at now: BootInstant) -> Double {
    guard let gathered else { return 0 }
    let age = now - gathered
    guard age <= ephemerisLife else { return 0 }
    let turned = (age - Self.skyTurnsAfter) / (ephemerisLife - Self.skyTurnsAfter)
    return completeness * (1 - max(0, turned))
  }
}

extension ReceiverEnergyModel {
  /// Of the data sheet's figure, what the shortest searches take.
  static let luckiestSearch = 0.7
  /// Of the difference between a warm and a hot start, what known satellites can save.
  static let savedByKnowing = 0.6

  /// The time that a search under open sky takes: the data sheet's figure with the scatter of real
  /// starts around it. A warm start after a short pause needs few satellites and takes anything
  /// between hot and warm.
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

  /// Nothing is drawn where there are none, so that other receivers' days stay as they are.
  private func isSlow(_ random: inout SeededRandom) -> Bool {
    slowStartPercent > 0 && random.chance(slowStartPercent / 100)
  }
}
