import Core

/// The regularity of reception, compared with the regularity near the beacon: the number of seconds
/// with reception in the last ten seconds of listening. It is independent of the radio's pauses and
/// the beacon's interval.
struct ReceptionRate: Sendable {
  static let window = 10
  /// The usual regularity is the mean over this many seconds with reception.
  private static let memory = 30.0
  /// Half of the usual regularity is regular. At the edge of reception, one advertisement in ten is
  /// as strong as the weakest that counts.
  private static let regular = 0.5
  private static let frequent = 1.0 / 3
  /// The threshold when another region is clearly nearer, so that this one has probably been left.
  private static let steady = 0.75

  /// A bit for each second with reception; the lowest is the last second.
  private var seconds: UInt16 = 0
  private var last = 0
  /// The usual number of seconds with reception in a window: the maximum at first, then the mean.
  private var usual = 1.0
  private var receptionSeconds = 0

  /// - Parameter time: the total listening time of the radio.
  /// - Returns: whether the reception is regular.
  mutating func received(afterListening time: Seconds) -> Bool {
    let second = Int(max(0, min(time.value, 1e15)))
    let passed = max(0, second - last)
    seconds = passed < Self.window ? seconds << UInt16(passed) : 0
    seconds &= 1 << UInt16(Self.window) - 1
    seconds |= 1
    last = second
    let count = self.count
    if passed > 0 || receptionSeconds == 0 { learn(count) }
    return count >= usual * Self.regular
  }

  /// Whether reception is more frequent than that of distant beacons. It is more significant when
  /// the window contains no regular reception any more.
  var isFrequent: Bool { count >= usual * Self.frequent }

  /// Whether reception is nearly as frequent as usual.
  var isSteady: Bool { count >= usual * Self.steady }

  private var count: Double { Double(seconds.nonzeroBitCount) }

  private mutating func learn(_ count: Double) {
    receptionSeconds = min(receptionSeconds + 1, Self.window + 1)
    if receptionSeconds <= Self.window {
      usual = max(usual, count)
    } else {
      usual += (count - usual) / Self.memory
    }
  }
}
