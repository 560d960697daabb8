import Ports

/// What an adapter has to tell, until it is collected, and which of its failures people know of.
public struct Outbox<News, Cause: Hashable> {
  /// Nobody collects from it: its latest news are kept.
  private let room: Int
  private var waiting: [Result<News, PortError>] = []
  private var known: Set<Cause> = []

  public init(room: Int = 16) { self.room = room }

  public var isEmpty: Bool { waiting.isEmpty }

  /// Whether people know of a failure that is not over.
  public var hasFailed: Bool { !known.isEmpty }

  public mutating func tell(_ news: News) { add(.success(news)) }

  /// Tells it unless it is known.
  public mutating func fail(_ cause: Cause, _ message: @autoclosure () -> String) {
    guard known.insert(cause).inserted else { return }
    add(.failure(PortError(message())))
  }

  /// From now on it would be news again.
  public mutating func over(_ causes: Cause...) { known.subtract(causes) }

  public mutating func next() throws(PortError) -> News? {
    waiting.isEmpty ? nil : try waiting.removeFirst().get()
  }

  private mutating func add(_ result: Result<News, PortError>) {
    if waiting.count >= room { waiting.removeFirst() }
    waiting.append(result)
  }
}
