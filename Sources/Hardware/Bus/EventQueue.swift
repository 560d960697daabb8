import Ports

/// Events of an adapter until they are collected, and which of its failures have been reported.
public struct EventQueue<News, Cause: Hashable> {
  /// If nothing is collected, the latest events are kept.
  private let room: Int
  private var waiting: [Result<News, PortError>] = []
  private var reported: Set<Cause> = []

  public init(room: Int = 16) { self.room = room }

  public var isEmpty: Bool { waiting.isEmpty }

  /// Whether a failure that is not over has been reported.
  var hasFailed: Bool { !reported.isEmpty }

  mutating func emit(_ news: News) { add(.success(news)) }

  /// Reports a failure unless that was done.
  mutating func fail(_ cause: Cause, _ message: @autoclosure () -> String) {
    guard reported.insert(cause).inserted else { return }
    add(.failure(PortError(message())))
  }

  /// From now on these failures would be reported again.
  mutating func resolve(_ causes: Cause...) { reported.subtract(causes) }

  mutating func next() throws(PortError) -> News? {
    waiting.isEmpty ? nil : try waiting.removeFirst().get()
  }

  private mutating func add(_ result: Result<News, PortError>) {
    if waiting.count >= room { waiting.removeFirst() }
    waiting.append(result)
  }
}
