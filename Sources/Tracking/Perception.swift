import Notation
import Quantities
import ReceiverProtocols

public struct PerceptionSettings: Hashable, Sendable {
  public var gate: GateSettings
  public var dwell: DwellSettings
  /// No dropped point of a dense trajectory was farther than this from what is kept.
  public var trajectoryBound: Metres
  /// Visits within this distance are of one destination.
  public var destinationRadius: Metres

  public init(
    gate: GateSettings = GateSettings(), dwell: DwellSettings = DwellSettings(),
    trajectoryBound: Metres = 25, destinationRadius: Metres = 100
  ) {
    self.gate = gate
    self.dwell = dwell
    self.trajectoryBound = trajectoryBound
    self.destinationRadius = destinationRadius
  }
}

/// What one fix or coarse location taught.
public struct PerceptionOutcome: Sendable {
  /// The fix was accepted.
  public var sighting: Sighting?
  /// Or why it was not.
  public var rejection: RejectionReason?
  public var visits: [VisitChange] = []
  /// New or changed ones.
  public var destinations: [Destination] = []
  /// What the simplifier keeps of a dense source, in order of time.
  public var shape: [Sighting] = []
}

/// From fixes to sightings, visits, destinations and the trajectory's shape.
public struct Perception: Sendable {
  var gate: FixGate
  var detector: VisitDetector
  var simplifier: TrajectorySimplifier
  var book: DestinationBook

  public init(_ settings: PerceptionSettings, nextVisitID: Int64, destinations: [Destination]) {
    gate = FixGate(settings.gate)
    detector = VisitDetector(settings.dwell, nextID: nextVisitID)
    simplifier = TrajectorySimplifier(bound: settings.trajectoryBound)
    book = DestinationBook(mergeRadius: settings.destinationRadius, destinations: destinations)
  }

  public mutating func poweredOn(at: BootInstant) { gate.poweredOn() }

  public mutating func take(_ fix: Fix) -> PerceptionOutcome {
    var outcome = PerceptionOutcome()
    switch gate.judge(fix) {
    case .rejected(let reason): outcome.rejection = reason
    case .accepted(let sighting):
      outcome.sighting = sighting
      if let kept = simplifier.take(sighting) { outcome.shape.append(kept) }
      note(detector.take(sighting), in: &outcome)
    }
    return outcome
  }

  public mutating func take(coarse: Sighting) -> PerceptionOutcome {
    var outcome = PerceptionOutcome()
    outcome.sighting = coarse
    note(detector.take(coarse), in: &outcome)
    return outcome
  }

  /// The end of the data or of the daemon. A visit that is open stays open.
  public mutating func finish() -> PerceptionOutcome {
    var outcome = PerceptionOutcome()
    if let kept = simplifier.finish() { outcome.shape.append(kept) }
    note(detector.finish(), in: &outcome)
    return outcome
  }

  public var openVisit: Visit? {
    guard var visit = detector.openVisit else { return nil }
    visit.destination = book.destination(at: visit.place)?.id
    return visit
  }

  private mutating func note(_ changes: [VisitChange], in outcome: inout PerceptionOutcome) {
    for change in changes {
      switch change {
      case .began(var visit):
        visit.destination = book.destination(at: visit.place)?.id
        outcome.visits.append(.began(visit))
      case .updated(var visit):
        visit.destination = book.destination(at: visit.place)?.id
        outcome.visits.append(.updated(visit))
      case .ended(var visit):
        if let destination = book.count(visit) {
          visit.destination = destination.id
          outcome.destinations.append(destination)
        }
        outcome.visits.append(.ended(visit))
      case .withdrawn: outcome.visits.append(change)
      }
    }
  }
}
