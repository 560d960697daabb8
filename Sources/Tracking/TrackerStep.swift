import Core
import Records

/// One step of the tracker: its moment, the date as far as it is known, and the effects.
struct TrackerStep {
  let now: BootInstant
  /// The date may become known, or prove wrong, within the step.
  var clock: UTCClock
  /// The counts of events so far.
  var counters: TrackerCounters
  private(set) var effects: [Effect] = []

  init(at now: BootInstant, clock: UTCClock, counters: TrackerCounters = TrackerCounters()) {
    self.now = now
    self.clock = clock
    self.counters = counters
  }

  var date: UTCInstant? { clock.utc(at: now) }

  func date(at instant: BootInstant) -> UTCInstant? { clock.utc(at: instant) }

  mutating func perform(_ effect: Effect) { effects.append(effect) }

  mutating func store(_ record: Record) { effects.append(.store(record)) }

  /// For the journal only, at debug level.
  mutating func journal(_ kind: String, _ reason: String) {
    effects.append(.log(LogEvent(kind, reason, level: .debug)))
  }

  /// For the journal and the decision log.
  mutating func log(_ kind: EventKind, _ reason: String, level: LogEvent.Level = .info) {
    let logEvent = LogEvent(kind, reason, level: level)
    effects.append(.log(logEvent))
    effects.append(.store(.event(logEvent, time: date)))
  }
}
