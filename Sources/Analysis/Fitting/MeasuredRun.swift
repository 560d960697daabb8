import Core
import Records

/// The receiver data of one store.
public struct MeasuredRun: Sendable {
  /// The file's name, for messages.
  public var name: String
  /// Chip and resistor from the store's provenance; nil if it does not state them.
  public var monitor: String?
  /// Whether the receiver's navigation data survives a cut of its supply.
  var keepsNavigationData: Bool
  public var segments: [PowerSegment]
  public var sessions: [GnssSession]
  /// The accuracy of each session's location, by the session's id: it indicates the reception.
  public var accuracies: [Int64: Metres]

  public init(
    name: String, monitor: String? = nil, keepsNavigationData: Bool = true,
    segments: [PowerSegment] = [], sessions: [GnssSession] = [],
    accuracies: [Int64: Metres] = [:]
  ) {
    self.name = name
    self.monitor = monitor
    self.keepsNavigationData = keepsNavigationData
    self.segments = segments
    self.sessions = sessions
    self.accuracies = accuracies
  }
}

/// Why nothing can be fitted.
public enum FitFailure: Error, Equatable, Sendable {
  case noSegments
  /// There are segments, but no measured ones.
  case nothingMeasured(modelled: Int, simulated: Int)
  /// The stores are from different monitors, whose errors differ.
  case monitorsDiffer([String])
}
