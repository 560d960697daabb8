import Core

/// What became of one source of evidence, for the user: a wire that is broken shows here.
public struct SourceHealth: Hashable, Sendable {
  public let name: String
  /// Whether what it says counts at present.
  public let isTrusted: Bool
  /// How often what it said proved right, and wrong.
  public let confirmations: Int
  public let contradictions: Int
  /// What it said last; nil: nothing yet.
  public private(set) var lastWord: String?
  public private(set) var lastHeard: BootInstant?
  /// Whether that is why nothing can be had of it.
  public private(set) var hasFailed = false

  init(name: String, isTrusted: Bool, confirmations: Int, contradictions: Int) {
    self.name = name
    self.isTrusted = isTrusted
    self.confirmations = confirmations
    self.contradictions = contradictions
  }

  /// The same with its last word.
  func saying(_ word: SourceWords.Word?) -> SourceHealth {
    var standing = self
    standing.lastWord = word?.text
    standing.lastHeard = word?.at
    standing.hasFailed = word?.isFailure ?? false
    return standing
  }
}
