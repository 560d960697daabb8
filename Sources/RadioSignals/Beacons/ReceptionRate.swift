import Core

/// How regularly something is heard, against how regularly it is where it is near: in how many of
/// the last ten seconds for which the radio listened. So neither a radio's pauses nor the pace at
/// which a beacon sends matter.
struct ReceptionRate: Sendable {
  static let window = 10
  /// Of so many seconds in which it was heard the mean is what is usual.
  private static let memory = 30.0
  /// Of what is usual half is regular. Of a beacon at the edge of what can be received one in ten
  /// is as strong as the weakest that counts.
  private static let regular = 0.5
  private static let frequent = 1.0 / 3
  /// Where another one is clearly nearer, which is why this one may well have been left.
  private static let steady = 0.75

  /// A bit for each second in which it was heard, the last one the lowest.
  private var seconds: UInt16 = 0
  private var last = 0
  /// In how many seconds of a window it is heard: the most until there were some, then the mean.
  private var usual = 1.0
  private var heardSeconds = 0

  /// - Parameter time: how long the radio has listened in all.
  /// - Returns: whether it is heard regularly.
  mutating func heard(afterListening time: Seconds) -> Bool {
    let second = Int(max(0, min(time.value, 1e15)))
    let passed = max(0, second - last)
    seconds = passed < Self.window ? seconds << UInt16(passed) : 0
    seconds &= 1 << UInt16(Self.window) - 1
    seconds |= 1
    last = second
    let count = self.count
    if passed > 0 || heardSeconds == 0 { learn(count) }
    return count >= usual * Self.regular
  }

  /// Whether it is heard as often as no stray from far away is; says more where nothing regular
  /// lies within the window any more.
  var isFrequent: Bool { count >= usual * Self.frequent }

  /// Whether it is heard nearly as often as is usual.
  var isSteady: Bool { count >= usual * Self.steady }

  private var count: Double { Double(seconds.nonzeroBitCount) }

  private mutating func learn(_ count: Double) {
    heardSeconds = min(heardSeconds + 1, Self.window + 1)
    if heardSeconds <= Self.window {
      usual = max(usual, count)
    } else {
      usual += (count - usual) / Self.memory
    }
  }
}
