import Core
import Tracking

/// When the first reading of a recording was taken: sample times are relative to it.
struct RecordingStart {
  let instant: BootInstant
  /// The system's date; nil if the clock was never set.
  let calendar: SystemDate?

  private var date: UTCInstant? { calendar.map { $0.date + (instant - $0.read) } }

  /// An unset clock gives no date; an undisciplined one has drifted.
  var members: [(name: String, value: JSONValue)] {
    [
      ("start_boottime_s", .rounded((instant - .zero).value, digits: 6)),
      ("start_utc", .text(date.map { ISO8601.text($0, digits: 6) })),
      ("clock_is_set", .bool(calendar != nil)),
      ("clock_is_synchronized", .bool(calendar?.isSynchronized ?? false)),
    ]
  }
}
