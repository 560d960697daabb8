import Core
import GNSS
import Records

/// Selects the events of a day for the journal: the first fix, arrivals and departures, a receiver
/// that responds again. Coordinates are left out: more people can read a journal than a store.
struct DayJournal {
  /// When the receiver was declared missing; nil while it responds.
  private var missingSince: BootInstant?
  /// The start of the run; nil once the first fix has come.
  private var started: BootInstant?
  private var isRunning = false
  private var hasFix = false
  /// The last visit reported, and whether its end was.
  private var visit: (id: Int64, isOver: Bool)?

  /// The run continues a visit that an earlier run has reported.
  mutating func started(in open: Visit?, at now: BootInstant) {
    if !isRunning { started = now }
    isRunning = true
    if let open { visit = (open.id, false) }
  }

  mutating func receiver(isMissing: Bool, at now: BootInstant) -> LogEvent? {
    switch (isMissing, missingSince) {
    case (true, nil): missingSince = now
    case (false, let since?):
      missingSince = nil
      hasFix = false
      return LogEvent(
        "receiver-recovered", "the receiver sends again, after \((now - since).inWords)")
    default: break
    }
    return nil
  }

  /// - Parameter date: nil while it is unknown.
  mutating func accepted(_ fix: Fix, at now: BootInstant, date: UTCInstant?) -> LogEvent? {
    guard !hasFix else { return nil }
    hasFix = true
    let accuracy = fix.horizontalError.map {
      ", accurate to \(FixedDecimal.text($0.value, digits: 0)) m"
    }
    let since = started.map { ", \((now - $0).inWords) after the start" }
    started = nil
    let time = (date ?? fix.time).map { " at \(ISO8601.text($0, digits: 0))" } ?? ""
    return LogEvent("first-fix", "first fix\(time)\(accuracy ?? "")\(since ?? "")")
  }

  /// - Parameter label: the user's name of its place; evaluated only if a line is written.
  mutating func stored(_ stored: Visit, label: @autoclosure () -> String?) -> LogEvent? {
    func place() -> String {
      label() ?? stored.destination.map { "destination \($0)" } ?? "a place"
    }
    let isNew = visit?.id != stored.id
    defer { visit = (stored.id, stored.departure != nil) }
    guard let departure = stored.departure else {
      if isNew { return LogEvent("arrived", "at \(place()), \(stored.arrival.inWords)") }
      return visit?.isOver == true ? LogEvent("stayed", "still at \(place())") : nil
    }
    guard isNew || visit?.isOver == false else { return nil }
    let stay = max(0, departure.estimate - stored.arrival.estimate)
    return LogEvent("departed", "from \(place()), \(departure.inWords), after \(stay.inWords)")
  }

  mutating func withdrawn(_ id: Int64) -> LogEvent? {
    guard visit?.id == id else { return nil }
    visit = nil
    return LogEvent("visit-withdrawn", "the supposed stay was none")
  }
}

extension TimeEstimate {
  /// "at 2026-05-04T07:12Z", or "between … and …" if it is not exactly known.
  fileprivate var inWords: String {
    func minute(_ time: UTCInstant) -> String { ISO8601.text(time, digits: 0).prefix(16) + "Z" }
    guard !isKnown else { return "at \(minute(estimate))" }
    return "between \(minute(earliest)) and \(minute(latest))"
  }
}
