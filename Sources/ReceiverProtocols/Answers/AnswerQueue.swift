/// Answers that nobody has taken yet, the oldest first. Bounded: where nobody takes them, the older
/// half goes when it is full.
struct AnswerQueue {
  /// More than what a receiver's whole navigation database makes.
  static let room = 512

  private(set) var answers: [ReceiverAnswer] = []

  mutating func append(_ answer: ReceiverAnswer) {
    if answers.count == Self.room { answers.removeFirst(Self.room / 2) }
    answers.append(answer)
  }

  mutating func take() -> [ReceiverAnswer] {
    guard !answers.isEmpty else { return [] }
    defer { answers = [] }
    return answers
  }
}
