import Formats
import Core
import GNSS
import Records
import Analysis
import Tracking

/// Feeds a trace to the pipeline as `replay` does, and gathers the results.
public struct TraceReplay: Sendable {
  public private(set) var visits: [Visit] = []
  public private(set) var shape: [Location] = []
  public private(set) var locations: [Location] = []
  public private(set) var destinations: [Int64: Destination] = [:]
  public private(set) var rejections: [RejectionReason: Int] = [:]

  public init(_ samples: [TraceSample], _ settings: LocationSettings = LocationSettings()) {
    var pipeline = LocationPipeline(settings, nextVisitID: 1, destinations: [])
    var track = StoredTrack(settings.trajectory, isDense: true)
    for sample in samples {
      switch pipeline.handle(Self.fix(sample)) {
      case .rejected(let reason): rejections[reason, default: 0] += 1
      case .accepted(let location, let outcome):
        locations.append(location)
        if outcome.isOfOtherDate { note([track.restartForDate()]) }
        note(track.add(location, for: .passing, session: nil))
        take(outcome)
      }
    }
    note([track.finish()])
    take(pipeline.finish())
  }

  private mutating func note(_ points: [TrackPoint?]) {
    shape += points.compactMap { $0?.location }
  }

  public static func fix(_ sample: TraceSample) -> Fix {
    var fix = Fix(received: BootInstant(nanoseconds: sample.time.nanoseconds))
    fix.time = sample.time
    fix.mode = .threeD
    fix.position = sample.position
    fix.altitudeMSL = sample.altitude
    fix.horizontalError = sample.accuracy
    fix.speed = sample.speed
    return fix
  }

  private mutating func take(_ outcome: LocationOutcome) {
    for destination in outcome.destinations { destinations[destination.id] = destination }
    for change in outcome.visits {
      switch change {
      case .began(let visit), .updated(let visit), .ended(let visit):
        if let index = visits.firstIndex(where: { $0.id == visit.id }) {
          visits[index] = visit
        } else {
          visits.append(visit)
        }
      case .withdrawn(let id): visits.removeAll { $0.id == id }
      }
    }
  }

  /// The visits as intervals; an open visit lasts until the end of the data.
  public func intervals(until end: UTCInstant) -> [Interval] {
    visits.map { Interval($0.arrival.estimate, $0.departure?.estimate ?? end) }
  }
}
