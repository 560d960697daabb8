import Core

/// The knowledge about one access point from good fixes: its position, the accuracy, and whether it
/// is stationary.
///
/// One row of the radio map, of a fixed size: single receptions are not stored. A reception too far
/// away to be possible adds to the doubt; in doubt, the access point is not used. The contradicting
/// position is stored as its rival. Receptions at the assumed position reduce the doubt again, so
/// that a single wrong fix has no effect. If the doubt grows and the rival is confirmed, the access
/// point has moved; if not, or repeatedly, it is mobile.
public struct AccessPointPlace: Hashable, Sendable {
  public let pseudonym: Int64
  /// The weighted mean of the fixes at which it was received.
  public private(set) var position: Coordinate
  /// The sum of the weights of those fixes, in 1/m². Old ones fade: at most about `memory` count.
  public private(set) var weight: Double
  /// The root mean square distance of those fixes from the position.
  public private(set) var spread: Metres
  /// The distance of the farthest accepted fix from the position.
  public private(set) var reach: Metres
  /// The weighted mean of its signal strengths, in dBm.
  public private(set) var strength: Double
  /// The number of fixes at the current position.
  public private(set) var fixes: Int
  /// The number of days (UTC) with such fixes.
  public private(set) var days: Int
  public private(set) var lastReceived: UTCInstant
  /// A contradicting position and its number of fixes; nil: none.
  public private(set) var rival: Rival?
  /// 0: none. A contradiction adds 2, and a confirmation subtracts 1.
  public private(set) var doubt: Int
  /// The number of detected moves.
  public private(set) var moves: Int
  /// It is mobile, and not used for positioning.
  public private(set) var isMobile: Bool

  public struct Rival: Hashable, Sendable {
    public var position: Coordinate
    public var fixes: Int

    public init(position: Coordinate, fixes: Int) {
      self.position = position
      self.fixes = fixes
    }
  }

  /// The number of fixes of equal weight that make up a position.
  static let memory = 50.0
  /// From this doubt on it is not used: two contradictions.
  public static let doubtLimit = 4
  /// At this doubt the decision is made: three contradictions.
  static let decisionLimit = 6
  /// The number of fixes at the rival position that proves a move.
  static let rivalFixes = 3
  /// After this many moves it counts as mobile.
  static let mostMoves = 3
  /// Fixes within this time share most of their error: a receiver's error is correlated for so
  /// long.
  static let independence: Seconds = 60
  private static let mostCounted = 1_000_000

  /// Restores a stored row.
  public init(
    pseudonym: Int64, position: Coordinate, weight: Double, spread: Metres, reach: Metres,
    strength: Double, fixes: Int, days: Int, lastReception: UTCInstant, rival: Rival? = nil,
    doubt: Int = 0,
    moves: Int = 0, isMobile: Bool = false
  ) {
    self.pseudonym = pseudonym
    self.position = position
    self.weight = weight
    self.spread = spread
    self.reach = reach
    self.strength = strength
    self.fixes = fixes
    self.days = days
    self.lastReceived = lastReception
    self.rival = rival
    self.doubt = doubt
    self.moves = moves
    self.isMobile = isMobile
  }

  /// An access point at its first reception.
  public init(_ hearing: PseudonymousSignal, at fix: TrainingFix) {
    self.init(
      pseudonym: hearing.pseudonym, position: fix.position,
      weight: Self.weight(hearing.strength, fix), spread: 0, reach: 0,
      strength: hearing.strength, fixes: 1, days: 1,
      lastReception: fix.time)
  }

  /// Whether it may be used for positioning now.
  var isTrusted: Bool { !isMobile && doubt < Self.doubtLimit }

  /// Learns from a reception at that fix.
  public mutating func observe(_ strength: Double, at fix: TrainingFix) {
    let distance = Sphere.distance(position, fix.position)
    defer { noteTime(fix.time) }
    guard distance > SignalDistance.farthest(strength) + spread + fix.accuracy else {
      return agree(strength, fix, distance)
    }
    contradict(strength, fix)
  }

  private mutating func agree(_ strength: Double, _ fix: TrainingFix, _ distance: Metres) {
    doubt = max(0, doubt - 1)
    if doubt == 0 { rival = nil }
    fixes = min(fixes + 1, Self.mostCounted)
    if !UTCInstant.isSameDay(fix.time, lastReceived) { days = min(days + 1, Self.mostCounted) }
    // Later fixes within one minute count together about as one.
    let pause = (fix.time - lastReceived).magnitude / Self.independence
    let new = Self.weight(strength, fix) * min(1, max(0.01, pause))
    let kept = weight * (1 - 1 / Self.memory)
    let share = new / (kept + new)
    position = LocalPlane(origin: position).moved(towards: fix.position, by: share)
    let square =
      spread.value * spread.value * (1 - share)
      + distance.value * distance.value * share * (1 - share)
    spread = Metres(square.squareRoot())
    if strength.isFinite { self.strength += (strength - self.strength) * share }
    weight = kept + new
    reach = max(reach, distance * (1 - share))
  }

  private mutating func contradict(_ strength: Double, _ fix: TrainingFix) {
    doubt = min(doubt + 2, Self.decisionLimit)
    let limit = SignalDistance.farthest(strength) + fix.accuracy
    if let old = rival, Sphere.distance(old.position, fix.position) <= limit {
      rival = Rival(position: old.position, fixes: old.fixes + 1)
    } else {
      // A third position: the evidence for the second does not apply to it.
      rival = Rival(position: fix.position, fixes: 1)
    }
    guard let rival else { return }
    if rival.fixes >= Self.rivalFixes || rival.fixes > fixes && rival.fixes > 1 {
      move(to: rival, strength, fix)
    } else if doubt >= Self.decisionLimit {
      isMobile = true
    }
  }

  /// Restarts at the other position.
  private mutating func move(to rival: Rival, _ strength: Double, _ fix: TrainingFix) {
    moves += 1
    position = rival.position
    weight = Self.weight(strength, fix)
    spread = 0
    reach = 0
    self.strength = strength
    fixes = rival.fixes
    days = 1
    doubt = 0
    self.rival = nil
    isMobile = moves >= Self.mostMoves
  }

  private mutating func noteTime(_ time: UTCInstant) { lastReceived = max(lastReceived, time) }

  /// The weight of one reception: the inverse variance in each direction.
  private static func weight(_ strength: Double, _ fix: TrainingFix) -> Double {
    let away = SignalDistance.typical(strength).value
    let error = fix.deviation.value
    return 1 / (error * error + away * away / 2)
  }
}

extension UTCInstant {
  static func isSameDay(_ a: Self, _ b: Self) -> Bool { a.dayNumber == b.dayNumber }

  private var dayNumber: Int64 {
    let day: Int64 = 86_400_000_000_000
    return nanoseconds >= 0 ? nanoseconds / day : (nanoseconds - day + 1) / day
  }
}
