import Core

/// The record of a source's alarms. An alarm only reports that something has changed, and each one
/// costs a fix attempt.
///
/// After a false alarm the source is ignored for a pause, which doubles each time: a source that is
/// always wrong then costs fewer attempts than the schedule of a board without sources.
struct AlarmRecord: Hashable, Sendable {
  private static let firstPause: Seconds = 60
  /// 60 s doubled eight times are four hours.
  private static let maxDoublings = 8
  /// After this many unredeemed false alarms the source is not trusted any more.
  private static let tooOften = 3
  /// One correct alarm makes up for this many false ones. A source that reports all the time is
  /// correct now and then, too.
  private static let redeemed = 2

  private(set) var right = 0
  private(set) var wrong = 0
  /// False alarms that no correct ones make up for.
  private var unredeemed = 0
  /// The last alarm is not confirmed or refuted yet.
  private var isPending = false
  private var ignoredUntil = BootInstant.zero

  var isTrusted: Bool { right > 0 && unredeemed < Self.tooOften }

  /// - Returns: whether the alarm is worth a fix attempt.
  mutating func raise(at now: BootInstant) -> Bool {
    guard now >= ignoredUntil else { return false }
    isPending = true
    return true
  }

  /// The alarm's cause has ended before a fix attempt.
  mutating func withdraw() { isPending = false }

  /// The board was found elsewhere.
  mutating func moved() {
    guard isPending else { return }
    isPending = false
    right = min(right + 1, Self.maxCount)
    unredeemed = max(0, unredeemed - Self.redeemed)
    ignoredUntil = .zero
  }

  /// The board was found where it was.
  mutating func stayed(at now: BootInstant) {
    guard isPending else { return }
    isPending = false
    wrong = min(wrong + 1, Self.maxCount)
    let pause = Self.firstPause * Double(1 << unredeemed)
    ignoredUntil = now + pause
    unredeemed = min(unredeemed + 1, Self.maxDoublings)
  }
}

// MARK: Over a restart

extension AlarmRecord {
  private static let maxCount = 1_000_000

  static let fields = SnapshotFields<AlarmRecord>([
    .required("right", \.right, .count(0...maxCount)),
    .required("wrong", \.wrong, .count(0...maxCount)),
    .required("unredeemed", \.unredeemed, .count(0...maxDoublings)),
  ])
}
