import Core

/// How much each type of contents interests who carries the board: what they have said, and else
/// what their visits say, where they let that be inferred (Chughtai 2015, section 4.2.8).
public struct InterestScores: Hashable, Sendable {
  /// Of a type that was scored by people.
  public static let range = -10...10
  /// Visits tell less than words.
  private static let mostInferred = 3
  /// Of types that are scored, and of the name of one in bytes.
  private static let mostTypes = 1000
  private static let longestType = 200

  /// What people have said.
  public private(set) var said: [String: Int] = [:]
  /// What visits to places that have such contents say; empty where that is switched off.
  public private(set) var inferred: [String: Int] = [:]
  /// Whether visits may say anything.
  public var infersFromVisits = true {
    didSet { if !infersFromVisits { inferred = [:] } }
  }

  public init() {}

  public subscript(type: String) -> Int { said[type] ?? inferred[type] ?? 0 }

  /// - Parameter score: nil: nothing is said any more.
  public mutating func say(_ score: Int?, of type: String) throws(ContentRefusal) {
    if let score, !Self.range.contains(score) {
      throw ContentRefusal("\(score) is no interest: give -10 to 10, 0 for neither")
    }
    guard type.utf8.count <= Self.longestType, !TerminalText.hasControlCharacter(type) else {
      throw ContentRefusal("a type is a word of \(Self.longestType) bytes at most")
    }
    guard said[type] != nil || score == nil || said.count < Self.mostTypes else {
      throw ContentRefusal("\(Self.mostTypes) types have a score: take one back first")
    }
    said[type] = score
  }

  /// A type is of some interest from the second visit of the time that counts on, of more from the
  /// fourth, and of no more than that from the eighth.
  ///
  /// - Parameter visits: to places with contents of each type.
  public mutating func infer(from visits: [String: Int]) {
    guard infersFromVisits else { return }
    inferred = visits.compactMapValues { count in
      guard count >= 2 else { return nil }
      return min(count.bitWidth - count.leadingZeroBitCount - 1, Self.mostInferred)
    }
  }
}
