import Quantities

/// How regularly something is heard, against how regularly it is where it is near: in how many of
/// the last ten seconds for which the radio listened. So neither a radio's pauses nor the pace at
/// which a beacon sends matter.
struct HearingRegularity: Sendable {
  private static let window = 10
  /// Of what is usual half is regular. Of a beacon whose mean is the weakest that counts that is
  /// nearly every advertisement that is not lost.
  private static let part = 2

  /// A bit for each second in which it was heard, the last one the lowest.
  private var seconds: UInt16 = 0
  private var last = 0
  /// The most within a window so far.
  private var usual = 1

  /// - Parameter time: how long the radio has listened in all.
  /// - Returns: whether it is heard regularly.
  mutating func heard(afterListening time: Seconds) -> Bool {
    let second = Int(max(0, min(time.value, 1e15)))
    let passed = max(0, second - last)
    seconds = passed < Self.window ? seconds << UInt16(passed) : 0
    seconds &= 1 << UInt16(Self.window) - 1
    seconds |= 1
    last = second
    let count = seconds.nonzeroBitCount
    usual = max(usual, count)
    return count * Self.part >= usual
  }
}
