import Ports
import Records

/// What a source has to tell, until it is collected, and which of its failures people know of.
struct Outbox<Cause: Hashable> {
  /// A source that nobody collects from keeps its latest news only.
  static var room: Int { 16 }

  private var waiting: [Result<Evidence, EvidenceError>] = []
  private var known: Set<Cause> = []

  var isEmpty: Bool { waiting.isEmpty }

  mutating func tell(_ evidence: Evidence) { add(.success(evidence)) }

  /// Tells it unless it is known.
  mutating func fail(_ cause: Cause, _ message: @autoclosure () -> String) {
    guard known.insert(cause).inserted else { return }
    add(.failure(EvidenceError(message())))
  }

  /// From now on it would be news again.
  mutating func over(_ causes: Cause...) { known.subtract(causes) }

  mutating func next() throws(EvidenceError) -> Evidence? {
    waiting.isEmpty ? nil : try waiting.removeFirst().get()
  }

  private mutating func add(_ result: Result<Evidence, EvidenceError>) {
    if waiting.count >= Self.room { waiting.removeFirst() }
    waiting.append(result)
  }
}
