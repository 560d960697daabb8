import Quantities

/// A notable decision, for the decision log and for `status`.
public struct Note: Hashable, Sendable {
  public enum Level: String, Sendable, CaseIterable { case info, warning }
  public var level: Level
  /// A stable word for programs: "gnss-on", "fix-rejected", "backed-off".
  public var kind: String
  /// One sentence for people, with its figures and units.
  public var reason: String

  public init(_ kind: String, _ reason: String, level: Level = .info) {
    self.kind = kind
    self.reason = reason
    self.level = level
  }
}
