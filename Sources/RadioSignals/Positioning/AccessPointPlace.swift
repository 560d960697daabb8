import Core

/// What good fixes have taught about one access point: where it is, how well that is known, and
/// whether it stays there.
///
/// One row of the radio map, of a fixed size: the hearings themselves are not kept. One that is
/// heard farther away than it can reach is doubted, and left out while it is; where it was last
/// heard instead is remembered as its rival place. Hearings where it was thought to be take the
/// doubt away again, so that a single wrong fix does nothing. If the doubt grows and the rival
/// place is confirmed, the access point has moved; if not, or again and again, it is carried about.
public struct AccessPointPlace: Hashable, Sendable {
  public let pseudonym: Int64
  /// The weighted mean of the fixes at which it was heard.
  public private(set) var position: Coordinate
  /// The sum of the weights of those fixes, in 1/m². Old ones fade: at most about `memory` count.
  public private(set) var weight: Double
  /// The root mean square distance of those fixes from the place.
  public private(set) var spread: Metres
  /// The farthest fix from the place at which it was heard and believed.
  public private(set) var reach: Metres
  /// The weighted mean of the strengths with which it was heard, in decibels above a milliwatt.
  public private(set) var strength: Double
  /// How many fixes have taught it since it is there.
  public private(set) var fixes: Int
  /// On how many days (UTC).
  public private(set) var days: Int
  public private(set) var lastHeard: UTCInstant
  /// Where it was heard instead, and how often; nil: nowhere.
  public private(set) var rival: Rival?
  /// 0: none. Counts contradictions double and confirmations, which lower it, once.
  public private(set) var doubt: Int
  /// How often it was found to have moved.
  public private(set) var moves: Int
  /// It is carried about and places nothing.
  public private(set) var isMobile: Bool

  public struct Rival: Hashable, Sendable {
    public var position: Coordinate
    public var fixes: Int

    public init(position: Coordinate, fixes: Int) {
      self.position = position
      self.fixes = fixes
    }
  }

  /// So many hearings of equal weight make up a place.
  static let memory = 50.0
  /// From here on it is left out: two contradictions.
  public static let doubted = 4
  /// And here it is decided: three contradictions.
  static let decided = 6
  /// It takes its rival place when it was heard so often there.
  static let rivalFixes = 3
  /// After so many moves it is one that is carried about.
  static let mostMoves = 3
  /// Fixes nearer in time share most of their error: a receiver's error is correlated for so long.
  static let independence: Seconds = 60
  private static let mostCounted = 1_000_000

  /// One row of the file, as it was stored.
  public init(
    pseudonym: Int64, position: Coordinate, weight: Double, spread: Metres, reach: Metres,
    strength: Double, fixes: Int, days: Int, lastHeard: UTCInstant, rival: Rival? = nil,
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
    self.lastHeard = lastHeard
    self.rival = rival
    self.doubt = doubt
    self.moves = moves
    self.isMobile = isMobile
  }

  /// One that is heard for the first time.
  public init(_ hearing: Hearing, at fix: TrainingFix) {
    self.init(
      pseudonym: hearing.pseudonym, position: fix.position,
      weight: Self.weight(hearing.strength, fix), spread: 0, reach: 0,
      strength: hearing.strength, fixes: 1, days: 1,
      lastHeard: fix.time)
  }

  /// Whether it may place the board now.
  public var isTrusted: Bool { !isMobile && doubt < Self.doubted }

  /// Takes in that it was heard there.
  public mutating func hear(_ strength: Double, at fix: TrainingFix) {
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
    if !UTCInstant.isSameDay(fix.time, lastHeard) { days = min(days + 1, Self.mostCounted) }
    // Of the fixes of one minute, all the later ones together count about once.
    let pause = (fix.time - lastHeard).magnitude / Self.independence
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
    doubt = min(doubt + 2, Self.decided)
    let limit = SignalDistance.farthest(strength) + fix.accuracy
    if let old = rival, Sphere.distance(old.position, fix.position) <= limit {
      rival = Rival(position: old.position, fixes: old.fixes + 1)
    } else {
      // Heard at a third place: what speaks for the second one does not speak for this.
      rival = Rival(position: fix.position, fixes: 1)
    }
    guard let rival else { return }
    if rival.fixes >= Self.rivalFixes || rival.fixes > fixes && rival.fixes > 1 {
      move(to: rival, strength, fix)
    } else if doubt >= Self.decided {
      isMobile = true
    }
  }

  /// Begins anew at the other place.
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

  private mutating func noteTime(_ time: UTCInstant) { lastHeard = max(lastHeard, time) }

  /// Of one hearing: the inverse square of what it leaves open in each direction.
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
