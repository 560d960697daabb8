import Core
import GNSS
import Records

/// What people see of a running daemon: lines of the journal, the present position, and the events
/// for subscribers.
final class DayReporter {
  private let log: LogChannel
  private var journal = DayJournal()
  private(set) var position = PresentPosition()
  /// Called with events for subscribers; nil: there are none.
  var onEvent: ((News, BootInstant) -> Void)? {
    didSet { log.watcher = onEvent.map { tell in { tell(.decision($0), $1) } } }
  }

  init(_ log: LogChannel) { self.log = log }

  func writeLog(_ logEvent: LogEvent, at now: BootInstant) { log.receive(logEvent, now) }

  /// The run continues a visit that an earlier run has reported.
  func started(in open: Visit?, at now: BootInstant) { journal.started(in: open, at: now) }

  /// - Parameter date: nil while it is unknown.
  func received(_ fix: Fix, isAccepted: Bool, date: UTCInstant?, at now: BootInstant) {
    position.received(fix, isAccepted: isAccepted)
    guard isAccepted else { return }
    if let line = journal.accepted(fix, at: now, date: date) { writeLog(line, at: now) }
    onEvent?(.fix, now)
  }

  /// - Parameter label: the name of a destination.
  func stored(_ record: Record, at now: BootInstant, label: (Int64) -> String?) {
    let line: LogEvent?
    switch record {
    case .visit(let visit):
      line = journal.stored(visit, label: visit.destination.flatMap(label))
      onEvent?(.visit(visit), now)
    case .session(let session):
      line = nil
      if session.outcome != .open { onEvent?(.session(session), now) }
    case .visitWithdrawn(let id): line = journal.withdrawn(id)
    default: line = nil
    }
    if let line { writeLog(line, at: now) }
  }

  /// A source of evidence or coarse locations has delivered something, or has failed.
  func received(source: String, at now: BootInstant) { onEvent?(.source(source), now) }

  /// The receiver has changed its power state.
  func receiverChanged(at now: BootInstant) { onEvent?(.receiver, now) }

  /// The session has had its first fix.
  func found(_ session: GnssSession, at now: BootInstant) { onEvent?(.session(session), now) }

  func receiver(isMissing: Bool, at now: BootInstant) {
    if let line = journal.receiver(isMissing: isMissing, at: now) { writeLog(line, at: now) }
  }
}
