import ArgumentParser
import Delivery
import Platform
import Ports
import Core

/// `godwit uplink pause`: nothing recorded during a time is sent.
struct UplinkPauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause uploading of new records.",
    discussion: """
      Records made during the pause stay on the board permanently: they are not sent later. \
      Without a time, the pause lasts until 'godwit uplink resume'. Earlier records are still sent.
      """)

  @OptionGroup var options: ConfigOptions

  @Argument(help: ArgumentHelp("Duration.", valueName: "hours"))
  var hours: Double?

  func validate() throws {
    guard hours.map({ (0.01...8760).contains($0) }) ?? true else {
      throw ValidationError("a pause must be 0.01 to 8760 hours")
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
      "New records are not sent"
        + (hours == nil ? ", until godwit uplink resume." : " until \(LocalTime.text(end))."))
  }
}

/// `godwit uplink resume`: new records are sent again.
struct UplinkResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume uploading of new records.",
    discussion: "Records made during the pause stay on the board.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    let outbox = try UplinkOutbox.open(try options.load().settings.uplink)
    let now = try UplinkDate.now()
    do throws(PortError) {
      try outbox.endPauses(at: now)
    } catch {
      throw CommandError.failed(error.message)
    }
    try OutputBytes.print("New records are sent again.")
  }
}
