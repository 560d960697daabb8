import ArgumentParser
import Quantities
import Store

/// From when to when a listing goes.
struct RangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only what is at or after this time: 2026-05-01, 2026-05-01T08:30, or with Z or +02:00. "
        + "Without a zone it is local time.", valueName: "time"))
  var from: LocalTime?

  @Option(help: ArgumentHelp("Only what is before this time.", valueName: "time"))
  var to: LocalTime?

  func validate() throws {
    guard let from, let to, from.instant >= to.instant else { return }
    throw ValidationError("--from has to be before --to")
  }

  var range: TimeRange { TimeRange(from: from?.instant, to: to?.instant) }
}
