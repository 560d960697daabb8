import Ports
import ArgumentParser
import Core
import Runtime

/// Options for connecting to the daemon.
struct ControlOptions: ParsableArguments {
  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("Control socket, overrides control.socket.", valueName: "path"))
  var socket: String?

  func query(_ request: ControlRequest) throws -> JSONValue {
    let path = try socket ?? options.load().settings.control.socket
    do {
      return try ControlClient.query(request.json, path: path)
    } catch {
      throw CommandError.failed(error.message)
    }
  }

  /// - Parameter body: called with the status, and then with each event, until the daemon ends.
  func watch(_ body: (JSONValue) throws -> Void) throws {
    let path = try socket ?? options.load().settings.control.socket
    do {
      try ControlClient.follow(path: path, body)
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    }
  }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what the daemon does and why, its next wake-up, and the current draw.")

  @OptionGroup var control: ControlOptions
  @Flag(help: "Print one JSON object.") var json = false
  @Flag(
    help: """
      For monitoring: print one line. Exit code 0: everything works; 1: a configured part does \
      not work, or GNSS is off by command; 2: nothing is recorded, or no daemon answers.
      """)
  var check = false

  func run() throws {
    guard !check else { return try checkHealth() }
    let status = try control.query(.status)
    try OutputBytes.print(json ? status.text : Self.text(status))
  }

  /// By the convention of monitoring plugins (monitoring-plugins.org, "Plugin Return Codes").
  private func checkHealth() throws {
    let health: StatusHealth
    do {
      health = StatusHealth(try control.query(.status))
    } catch let CommandError.failed(message) {
      health = StatusHealth(unanswered: message)
    }
    try OutputBytes.print(TerminalText.line(health.line))
    if health.level != .ok { throw ExitCode(health.level.rawValue) }
  }

  static func text(_ status: JSONValue) -> String { StatusPage(status).text }
}

/// The daemon's health for monitoring: one line and a level.
struct StatusHealth {
  enum Level: Int32 { case ok = 0, warning, critical }

  let level: Level
  let line: String

  init(_ status: JSONValue) {
    var faults = status["faults"]?.array?.compactMap(\.string) ?? []
    let isOff = Self.isOffByCommand(status)
    if isOff, faults.isEmpty {
      // Intended, but perhaps forgotten.
      faults = [status["reason"]?.string ?? "gnss is off by command"]
      level = .warning
    } else if status["recording"]?.bool == false {
      level = .critical
    } else {
      level = faults.isEmpty && status["state"]?.string == "running" ? .ok : .warning
    }
    let page = StatusPage(status)
    line = ([Self.word(level)] + (faults.isEmpty ? [page.summary] : faults))
      .joined(separator: ": ")
  }

  init(unanswered message: String) {
    level = .critical
    line = "\(Self.word(.critical)): \(message)"
  }

  /// Whether the user has switched GNSS off until further notice.
  static func isOffByCommand(_ status: JSONValue) -> Bool {
    status["gnss_order"]?["gnss"]?.string == "off"
  }

  private static func word(_ level: Level) -> String {
    switch level {
    case .ok: "OK"
    case .warning: "WARNING"
    case .critical: "CRITICAL"
    }
  }
}
