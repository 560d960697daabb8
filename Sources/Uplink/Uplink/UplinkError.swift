import Ports

/// Why the uplink cannot go on.
public struct UplinkError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  /// Whether the same may work at once: somebody else was just changing what was read.
  let isPassing: Bool

  public init(_ message: String) {
    self.message = message
    isPassing = false
  }

  init(_ error: StoreError) {
    message = error.message
    if case .busy = error { isPassing = true } else { isPassing = false }
  }

  /// Asks the outbox; nothing goes on without its answer.
  static func asking<Answer>(
    _ body: () throws(OutboxError) -> Answer
  ) throws(UplinkError) -> Answer {
    do {
      return try body()
    } catch {
      throw UplinkError(error.message)
    }
  }

  /// Asks the store.
  static func asking<Answer>(
    _ body: () throws(StoreError) -> Answer
  ) throws(UplinkError) -> Answer {
    do {
      return try body()
    } catch {
      throw UplinkError(error)
    }
  }
}
