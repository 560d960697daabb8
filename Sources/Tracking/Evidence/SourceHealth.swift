import Core

/// The reliability of an evidence source, for the user: a broken wire shows here.
public struct SourceHealth: Hashable, Sendable {
  public let name: String
  /// Whether its evidence is used at present.
  public let isTrusted: Bool
  /// How often its evidence proved right, and wrong.
  public let confirmations: Int
  public let contradictions: Int
  /// Its last report; nil: there was none.
  public private(set) var lastReport: String?
  public private(set) var lastReportTime: BootInstant?
  /// Whether `lastReport` is the reason of a failure.
  public private(set) var hasFailed = false

  init(name: String, isTrusted: Bool, confirmations: Int, contradictions: Int) {
    self.name = name
    self.isTrusted = isTrusted
    self.confirmations = confirmations
    self.contradictions = contradictions
  }

  /// A copy with the last report.
  func with(_ word: SourceReports.Report?) -> SourceHealth {
    var health = self
    health.lastReport = word?.text
    health.lastReportTime = word?.at
    health.hasFailed = word?.isFailure ?? false
    return health
  }
}
