import ArgumentParser
import Delivery
import Platform
import Ports
import Core

/// `godwit uplink pause`: nothing recorded during a time is sent.
struct UplinkPauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Have nothing go out that is recorded from now on, for a time.",
    discussion: """
      It stays on the board for good: what is recorded meanwhile does not go out later either. \
      Without a time it lasts until 'godwit uplink resume'. What was recorded before goes out still.
      """)

  @OptionGroup var options: ConfigOptions

  @Argument(help: ArgumentHelp("How many hours.", valueName: "hours"))
  var hours: Double?

  func validate() throws {
    guard hours.map({ (0.01...8760).contains($0) }) ?? true else {
      throw ValidationError("a pause takes 0.01 to 8760 hours")
    }
  }

  /// Practically without an end.
  private static let years: Seconds = .days(36_500)

  func run() throws {
    // A pause works before the first run, too, which must respect it.
    let outbox = try UplinkOutbox.openOrMake(try options.load().settings.uplink)
    let now = try UplinkDate.now()
    let end = now + (hours.map { .hours($0) } ?? Self.years)
    do throws(PortError) {
      try outbox.add(UplinkPause(from: now, to: end))
    } catch {
      throw CommandError.failed(error.message)
    }
    try OutputBytes.print(
      "Nothing goes out that is recorded from now on"
        + (hours == nil ? ", until godwit uplink resume." : " until \(LocalTime.text(end))."))
  }
}

/// `godwit uplink resume`: new records are sent again.
struct UplinkResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Have what is recorded go out again.",
    discussion: "What was recorded during a pause stays on the board.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    let outbox = try UplinkOutbox.open(try options.load().settings.uplink)
    let now = try UplinkDate.now()
    do throws(PortError) {
      try outbox.endPauses(at: now)
    } catch {
      throw CommandError.failed(error.message)
    }
    try OutputBytes.print("What is recorded from now on goes out again.")
  }
}
