/// Learns which sentence ends a receiver's cycle, so that an epoch can be handed out at once and
/// not when the next one begins: while the decoder waits, the receiver draws current.
struct CycleEnd {
  /// A sentence and how often its like had come before in the epoch.
  struct Mark: Equatable {
    let code: UInt64

    init(talker: UInt16, formatter: UInt32, ordinal: Int) {
      code = UInt64(formatter) | UInt64(talker) << 32 | UInt64(truncatingIfNeeded: ordinal) << 48
    }
  }

  /// Epochs that must end alike before the end is believed.
  private static let confirmations = 2

  private var candidate: Mark?
  private var timesSeen = 0

  /// The sentence after which the epoch is complete, once learnt.
  var learnt: Mark? { timesSeen >= Self.confirmations ? candidate : nil }

  /// An epoch was seen to end with this sentence: a new time began, or the line fell silent.
  mutating func ended(with last: Mark) {
    if candidate == last {
      timesSeen = min(timesSeen + 1, Self.confirmations)
    } else {
      candidate = last
      timesSeen = 1
    }
  }

  /// Something of the same epoch came after the supposed end.
  mutating func forget() {
    candidate = nil
    timesSeen = 0
  }
}
