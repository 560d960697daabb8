import ArgumentParser
import Core
import Platform
import GNSS
import Runtime
import Tracking

struct GnssCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gnss",
    abstract: "Force GNSS on or off, or return to automatic; start or identify the receiver.",
    subcommands: [
      On.self, Off.self, Auto.self, Restart.self, State.self, ProbeCommand.self,
    ])

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
      try GnssCommand.show(control.query(.status), json)
    }
  }

  struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Have the receiver start again, to measure its starts.",
      discussion: """
        By its own command the receiver forgets what the kind says: cold everything, warm the \
        ephemeris, hot nothing. A new session begins, whose time to first fix counts from the \
        command; the daemon learns nothing of it for other starts. The receiver has to be wanted: \
        give "godwit gnss on" before. One that acknowledges the command has three seconds for it; \
        whether another has obeyed shows in its fixes.
        """)
    @OptionGroup var control: ControlOptions
    @Flag(help: "Print the status as one JSON object.") var json = false
    @Argument(help: "How much it forgets: cold, warm or hot.") var kind: RestartKind

    func run() throws {
      var status = try control.query(.restart(kind))
      let end = BootClock.now + Self.timeout
      while Self.isAwaited(status), BootClock.now < end {
        BootClock.wait(until: BootClock.now + 0.2)
        status = try control.query(.status)
      }
      if let failure = status["gnss_restart"]?["failure"]?.string {
        throw CommandError.failed(TerminalText.line(failure))
      }
      guard !json else { return try OutputBytes.print(status.text) }
      let isAcknowledged = status["gnss_restart"]?["outcome"]?.string == "acknowledged"
      let word = isAcknowledged ? "the receiver acknowledges it" : "nothing acknowledges it"
      let text = "\(status["gnss"]?.string ?? "unknown"): \(kind.rawValue) start; \(word)"
      try OutputBytes.print(TerminalText.line(text))
    }

    /// The daemon's own limit for the receiver is shorter.
    private static let timeout: Seconds = 5

    private static func isAwaited(_ status: JSONValue) -> Bool {
      status["gnss_restart"]?["outcome"]?.string == "awaited"
    }
  }

  private static func set(
    _ wanted: GnssOverride, _ control: ControlOptions, _ json: Bool
  ) throws {
    try show(control.query(.gnss(wanted)), json)
  }

  private static func show(_ status: JSONValue, _ json: Bool) throws {
    guard !json else { return try OutputBytes.print(status.text) }
    let text = "\(status["gnss"]?.string ?? "unknown"): \(status["reason"]?.string ?? "")"
    try OutputBytes.print(TerminalText.line(text))
  }
}

extension RestartKind: ExpressibleByArgument {}
