import ArgumentParser

/// When an alert is on; by when the board has to be there, for a rule with a deadline.
struct AlertHours: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "For not-there-by and not-back-by: at this time of day, in the board's time zone.",
      valueName: "hh:mm"))
  var by: TimeOfDay?
  @OptionGroup var hours: WeeklyHours

  func validate() throws {
    guard by == nil || (hours.between == nil && hours.schedule == nil) else {
      throw ValidationError("give one of --by, --between and --schedule")
    }
  }

  /// Nil: nothing was said.
  var calendar: String? { hours.calendar(at: by) }
}
