import Records

/// Something that tells whether the board moves, or what is around it. Most tell by themselves when
/// something happens; a scan has to be asked for, and its answer is collected with `poll`.
///
/// Its name is unique: the tracker asks each source by it. When it is ready, or due, `poll` has
/// work.
public protocol EvidencePort: EventPort {
  /// Asks for a look at the surroundings; does nothing where the source tells by itself.
  func ask() throws(EvidenceError)
  /// What has not been collected yet, the oldest first; nil: nothing more for now.
  func poll() throws(EvidenceError) -> Evidence?
}

extension EvidencePort {
  public func ask() throws(EvidenceError) {}
}

public struct EvidenceError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
