import Core

/// The user's interest in each type of content: set explicitly, or otherwise inferred from visits,
/// if the user allows it (Chughtai 2015, section 4.2.8).
public struct InterestScores: Hashable, Sendable {
  /// The range of explicit scores.
  static let range = -10...10
  /// Inferred scores carry less weight.
  private static let mostInferred = 3
  /// The limit of scored types, and that of a type's name in bytes.
  private static let mostTypes = 1000
  private static let longestType = 200

  /// The scores set by people.
  public private(set) var explicitScores: [String: Int] = [:]
  /// The scores inferred from visits to places with such contents; empty if that is switched off.
  public private(set) var inferred: [String: Int] = [:]
  /// Whether scores are inferred from visits.
  public var infersFromVisits = true {
    didSet { if !infersFromVisits { inferred = [:] } }
  }

  public init() {}

  public subscript(type: String) -> Int { explicitScores[type] ?? inferred[type] ?? 0 }

  /// - Parameter score: nil removes the score.
  public mutating func setScore(_ score: Int?, of type: String) throws(ContentRefusal) {
    if let score, !Self.range.contains(score) {
      throw ContentRefusal("\(score) is not an interest: use -10 to 10, 0 for neither")
    }
    guard type.utf8.count <= Self.longestType, !TerminalText.hasControlCharacter(type) else {
      throw ContentRefusal("a type must be a word of at most \(Self.longestType) bytes")
    }
    guard explicitScores[type] != nil || score == nil || explicitScores.count < Self.mostTypes
    else {
      throw ContentRefusal("\(Self.mostTypes) types have a score: remove one first")
    }
    explicitScores[type] = score
  }

  /// Scores a type 1 from the second visit in the counted period, 2 from the fourth, and 3, the
  /// maximum, from the eighth.
  ///
  /// - Parameter visits: the number of visits to places with contents of each type.
  public mutating func infer(from visits: [String: Int]) {
    guard infersFromVisits else { return }
    inferred = visits.compactMapValues { count in
      guard count >= 2 else { return nil }
      return min(count.bitWidth - count.leadingZeroBitCount - 1, Self.mostInferred)
    }
  }
}
