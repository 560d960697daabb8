import Glibc

/// A receiver that answers queries, byte for byte as real ones do, and only at its own line speed.
public final class AnsweringReceiver {
  private let line: Pseudoterminal
  private let baud: Int
  private let answers: [(question: [UInt8], answer: [UInt8])]
  private var unread: [UInt8] = []
  /// The queries that it has received, in order, as their indices in `answers`.
  public private(set) var asked: [Int] = []
  /// Everything that was sent to it at its own speed.
  public private(set) var received: [UInt8] = []

  public init(
    _ line: Pseudoterminal, baud: Int, answers: [(question: [UInt8], answer: [UInt8])]
  ) {
    self.line = line
    self.baud = baud
    self.answers = answers
  }

  /// Sends burst after burst, and answers in between, until `done`; see `Speaker`.
  @discardableResult
  public func speak(
    _ bursts: some Sequence<[UInt8]>, period: Double, until done: () -> Bool
  ) -> Bool {
    let speaker = Speaker(line, baud: baud)
    speaker.answer = { [unowned self] in hear($0) }
    return speaker.speak(
      bursts.lazy.map { self.isUnderstood ? $0 : self.garbled($0) }, period: period, until: done)
  }

  private func hear(_ bytes: [UInt8]) -> [UInt8] {
    guard isUnderstood else { return [] }
    received += bytes
    unread += bytes
    var said: [UInt8] = []
    for (number, pair) in answers.enumerated() {
      while let range = unread.firstRange(of: pair.question) {
        unread.removeSubrange(range)
        asked.append(number)
        said += pair.answer
      }
    }
    return said
  }

  /// Whether the line is at the receiver's speed.
  private var isUnderstood: Bool {
    var settings = line.settings
    let code: speed_t =
      switch baud {
      case 9600: speed_t(B9600)
      case 38_400: speed_t(B38400)
      case 115_200: speed_t(B115200)
      default: preconditionFailure("no code for \(baud) baud")
      }
    return cfgetospeed(&settings) == code
  }

  /// The bytes as received at a wrong line speed.
  private func garbled(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { UInt8(truncatingIfNeeded: UInt16($0) &* 0x9d >> 3) | 0x80 }
  }
}
