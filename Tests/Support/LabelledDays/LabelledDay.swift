import Formats
import Core
import Analysis

/// A trace with its ground truth.
public struct LabelledDay: Sendable {
  public var name: String
  public var samples: [TraceSample]
  /// Stays that a detector has to find.
  public var stays: [Interval]
  /// Where the truth is unknown, or where a stay is debatable: no reward and no punishment.
  public var unscored: [Interval]
  /// Periods in which the board moved according to the labels.
  public var moving: [Interval] = []
}

public enum DataSet: String, Sendable, CaseIterable {
  case utrecht = "utrecht-diary"
  case mobilityNet = "mobilitynet"
}

extension VisitScore {
  public init(_ day: LabelledDay, found: [Interval]) {
    self.init(
      stays: day.stays, unscored: day.unscored, found: found, shortest: LabelledData.minStay)
  }
}
