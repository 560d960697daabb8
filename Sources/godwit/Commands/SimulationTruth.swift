import Formats
import Core
import Runtime
import VirtualDevice

/// The ground truth that the virtual board follows, and for how long at most.
struct SimulationTruth {
  let groundTruth: any GroundTruth
  let limit: BootInstant
  /// What a visit detector ought to find; nil if the truth does not contain it.
  let stays: () -> [PlannedStay]?
  /// The description of the truth for the provenance.
  let provenance: () throws -> [(String, JSONValue)]
  let failure: () -> CommandError?
  /// The number of unusable positions of the trace so far.
  var refused: () -> Int = { 0 }
  /// What could not be read in the trace.
  var losses: TraceLosses?
  /// The changes made to the trace.
  var findings: TraceFindings?
  /// The number of corrected first dates of a receiver; nil for other traces.
  var datesCorrected: Int?
  /// Further remarks about the trace.
  var remarks: [String] = []
  /// The assumed satellite reception; nil if the truth contains it.
  var assumedReception: String?
  /// The trace's holes as interpreted so far; nil without a trace.
  var holes: () -> TraceHoles? = { nil }
}
