import ArgumentParser
import Core
import Platform
import GNSS
import Runtime
import Tracking

struct GnssCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gnss",
    abstract: "Force GNSS on or off, or return to automatic; restart the receiver.",
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
    static let configuration = CommandConfiguration(
      abstract: "Return GNSS to the control of the policy.")
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
      abstract: "Restart the receiver, to measure its start-up times.",
      discussion: """
        The daemon sends the receiver's own restart command, which clears data by kind: cold all, \
        warm the ephemeris, hot nothing. A new session begins, and its time to first fix counts \
        from the command; the daemon does not use it to predict other starts. GNSS must be on: run \
        "godwit gnss on" before. A receiver that acknowledges commands has three seconds to do so; \
        with any other, check its fixes.
        """)
    @OptionGroup var control: ControlOptions
    @Flag(help: "Print the status as one JSON object.") var json = false
    @Argument(help: "Kind of start: cold, warm or hot.") var kind: RestartKind

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
      let word = isAcknowledged ? "acknowledged by the receiver" : "not acknowledged"
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
