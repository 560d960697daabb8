import Quantities

/// What the store keeps. Records with an id replace the earlier one of that id.
public enum Record: Hashable, Sendable {
  case trackPoint(TrackPoint)
  /// A coarse track point is taken back because GNSS gave a better one with a similar time.
  case trackPointReplaced(time: UTCInstant)
  case visit(Visit)
  case visitWithdrawn(id: Int64)
  case destination(Destination)
  case session(GnssSession)
  case coarse(CoarseObservation)
  case powerSegment(PowerSegment)
  /// `time` is nil while the date is unknown.
  case event(Note, time: UTCInstant?)
  /// What the tracker needs to go on after a restart, as JSON text.
  case trackerState(String)
}
