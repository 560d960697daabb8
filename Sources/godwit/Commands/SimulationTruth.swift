import Formats
import Core
import Runtime
import VirtualDevice

/// The ground truth that the virtual board follows, and for how long at most.
struct SimulationTruth {
  let groundTruth: any GroundTruth
  let limit: BootInstant
  /// What a visit detector ought to find; nil where the truth does not say.
  let stays: () -> [PlannedStay]?
  /// What it is.
  let provenance: () throws -> [(String, JSONValue)]
  let failure: () -> CommandError?
  /// How many positions of the trace could not be used so far.
  var refused: () -> Int = { 0 }
  /// What could not be read in the trace.
  var losses: TraceLosses?
  /// What was done to the trace.
  var findings: TraceFindings?
  /// How many of a receiver's first dates were put right; nil of other traces.
  var datesCorrected: Int?
  /// What else is to be told of the trace.
  var remarks: [String] = []
  /// What was assumed of the sky; nil where the truth tells it.
  var sky: String?
  /// What the truth made of the trace's holes so far; nil without a trace.
  var holes: () -> TraceHoles? = { nil }
}
