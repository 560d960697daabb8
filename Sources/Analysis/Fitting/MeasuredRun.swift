import Core
import Records

/// What one store knows of a receiver.
public struct MeasuredRun: Sendable {
  /// The file's name, for messages.
  public var name: String
  /// Chip and resistor, as far as the store's provenance says; nil where it does not.
  public var monitor: String?
  /// Whether the receiver's navigation data outlives a cut of its supply.
  public var keepsNavigationData: Bool
  public var segments: [PowerSegment]
  public var sessions: [GnssSession]
  /// The accuracy of the location that each session gave, by the session's id: it tells of the sky.
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
  /// There are segments, but none that was measured.
  case nothingMeasured(modelled: Int, simulated: Int)
  /// The stores are of different monitors, whose errors differ.
  case monitorsDiffer([String])
}
