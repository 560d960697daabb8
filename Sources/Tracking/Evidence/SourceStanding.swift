import Quantities

/// What became of one source of evidence, for the user: a wire that is broken shows here.
public struct SourceStanding: Hashable, Sendable {
  public let name: String
  /// Whether what it says counts at present.
  public let isTrusted: Bool
  /// How often what it said proved right, and wrong.
  public let confirmations: Int
  public let contradictions: Int
  /// Nil: it has said nothing yet.
  public let lastHeard: BootInstant?
}
