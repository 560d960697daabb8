import ArgumentParser
import Records

/// When an alert is on, or the deadline by which the board has to be at a place.
struct AlertHours: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time of day for \(AlertKind.words(where: \.hasDeadline)), in the board's time zone.",
      valueName: "hh:mm"))
  var by: TimeOfDay?
  @OptionGroup var hours: WeeklyHours

  func validate() throws {
    guard by == nil || (hours.between == nil && hours.schedule == nil) else {
      throw ValidationError("use only one of --by, --between and --schedule")
    }
  }

  /// Nil: no times were given.
  var calendar: String? { hours.calendar(at: by) }
}
