import Core

/// What became of the alarms of a source: it cannot tell more than that something has changed, and
/// each time somebody has to look.
///
/// Who has been wrong is heard again only after a pause, and after a longer one each time: a source
/// that is always wrong costs fewer looks than one at the pace of a board without sources.
struct AlarmRecord: Hashable, Sendable {
  private static let firstPause: Seconds = 60
  /// 60 s doubled eight times are four hours.
  private static let maxDoublings = 8
  /// Wrong so often more than it was right, it is not trusted any more.
  private static let tooOften = 3
  /// One that speaks all the time is right now and then, too: being right once makes up for being
  /// wrong so often.
  private static let redeemed = 2

  private(set) var right = 0
  private(set) var wrong = 0
  /// How often it was wrong beyond what its being right makes up for.
  private var unredeemed = 0
  /// A look has not yet told whether it was right.
  private var isPending = false
  private var heardAgain = BootInstant.zero

  var isTrusted: Bool { right > 0 && unredeemed < Self.tooOften }

  /// - Returns: whether it is worth a look.
  mutating func call(at now: BootInstant) -> Bool {
    guard now >= heardAgain else { return false }
    isPending = true
    return true
  }

  /// What it told of has ended, before anybody looked.
  mutating func withdraw() { isPending = false }

  /// The board has been found elsewhere.
  mutating func moved() {
    guard isPending else { return }
    isPending = false
    right = min(right + 1, Self.maxCount)
    unredeemed = max(0, unredeemed - Self.redeemed)
    heardAgain = .zero
  }

  /// The board has been found where it was.
  mutating func stayed(at now: BootInstant) {
    guard isPending else { return }
    isPending = false
    wrong = min(wrong + 1, Self.maxCount)
    let pause = Self.firstPause * Double(1 << unredeemed)
    heardAgain = now + pause
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
