import ArgumentParser
import Notation
import Runtime
import Tracking

struct GnssCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gnss",
    abstract: "Force GNSS on or off, or return to automatic; identify the receiver.",
    subcommands: [On.self, Off.self, Auto.self, State.self, ProbeCommand.self])

  struct On: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Keep GNSS on until further notice.")
    @OptionGroup var control: ControlOptions
    @Flag(help: "Print the status as one JSON object.") var json = false
    func run() throws { try GnssCommand.set(.on, control, json) }
  }

  struct Off: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Keep GNSS off until further notice.")
    @OptionGroup var control: ControlOptions
    @Flag(help: "Print the status as one JSON object.") var json = false
    func run() throws { try GnssCommand.set(.off, control, json) }
  }

  struct Auto: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let the policy decide again.")
    @OptionGroup var control: ControlOptions
    @Flag(help: "Print the status as one JSON object.") var json = false
    func run() throws { try GnssCommand.set(.auto, control, json) }
  }

  struct State: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show whether GNSS is on, and why.")
    @OptionGroup var control: ControlOptions
    @Flag(help: "Print the status as one JSON object.") var json = false

    func run() throws {
      try GnssCommand.show(control.ask(.status), json)
    }
  }

  private static func set(
    _ wanted: GnssOverride, _ control: ControlOptions, _ json: Bool
  ) throws {
    try show(control.ask(.gnss(wanted)), json)
  }

  private static func show(_ status: JSONValue, _ json: Bool) throws {
    guard !json else { return try OutputBytes.print(status.text) }
    let text = "\(status["gnss"]?.string ?? "unknown"): \(status["reason"]?.string ?? "")"
    try OutputBytes.print(TerminalText.line(text))
  }
}
