import Core
import Tracking

/// When the first reading of a recording was taken: the samples count from there.
struct RecordingStart {
  let instant: BootInstant
  /// What the system's clock says of dates; nil where it was never set.
  let calendar: SystemDate?

  private var date: UTCInstant? { calendar.map { $0.date + (instant - $0.read) } }

  /// A clock that was not set has no date to tell; one that nothing keeps right has drifted.
  var members: [(name: String, value: JSONValue)] {
    [
      ("start_boottime_s", .rounded((instant - .zero).value, digits: 6)),
      ("start_utc", .text(date.map { ISO8601.text($0, digits: 6) })),
      ("clock_is_set", .bool(calendar != nil)),
      ("clock_is_synchronized", .bool(calendar?.isSynchronized ?? false)),
    ]
  }
}
