import ArgumentParser
import Notation
import Runtime

/// How to reach the daemon.
struct ControlOptions: ParsableArguments {
  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("Control socket, overrides control.socket.", valueName: "path"))
  var socket: String?

  func ask(_ request: ControlRequest) throws -> JSONValue {
    let path = try socket ?? options.load().settings.control.socket
    do {
      return try ControlClient.ask(request.json, path: path)
    } catch {
      throw CommandError.failed(error.message)
    }
  }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what the daemon is doing and why, its next wake, the current draw.")

  @OptionGroup var control: ControlOptions
  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let status = try control.ask(.status)
    try OutputBytes.print(json ? status.text : Self.text(status))
  }

  static func text(_ status: JSONValue) -> String {
    var page = TextPage(names: 9)
    func add(_ name: String, _ parts: [String?]) {
      // The answer is untrusted: control characters must not reach the terminal.
      page.add(name, parts.map { $0.map(TerminalText.line) })
    }
    func counted(_ value: JSONValue?, _ unit: String) -> String? {
      value?.integer.map { "\($0) \(unit)" }
    }
    let store = status["store"]
    let receiver = status["receiver"]
    let powerSwitch = status["power_switch"]
    let fixes = status["fixes"]
    let energy = status["energy"]
    add("state", [status["state"]?.string, status["policy"]?.string.map { "policy \($0)" }])
    add("gnss", [status["gnss"]?.string, status["reason"]?.string])
    add("low power", [status["low_power"]?["reason"]?.string])
    add("next wake", [status["next_wake"]?.string ?? status["next_wake_in_s"].flatMap(seconds)])
    add("current", [current(status["current_mA"]), energy?["monitor_failure"]?.string])
    add("date", [status["date"]?["refused"]?.string, status["date"]?["warning"]?.string])
    add("sources", status["sources"]?.array?.map(source) ?? [])
    add("visit", [status["visit"]?["arrival"]?.string.map { "since \($0)" }])
    add(
      "fixes",
      [
        counted(fixes?["accepted"], "accepted"), rejected(fixes?["rejected"]),
        counted(fixes?["sessions"], "sessions"),
      ])
    add(
      "energy",
      [
        energy?["gnss_on_s"]?.number.map { "GNSS on for \($0) s" },
        energy?["gnss_energy_J"]?.number.map { "\($0) J" },
      ])
    add("budget", budget(status["budget"]))
    add(
      "receiver",
      [
        receiver?["name"]?.string ?? "none", lostBytes(receiver?["line_errors"]),
        receiver?["failure"]?.string,
      ])
    add(
      "switch",
      [
        powerSwitch?["name"]?.string ?? "none", powerSwitch?["stage"]?.string,
        powerSwitch?["failure"]?.string,
      ])
    add(
      "store",
      [
        store?["name"]?.string ?? "none", counted(store?["waiting_records"], "records waiting"),
        dropped(store?["dropped_records"]), store?["failure"]?.string,
        store?["warning"]?.string,
      ])
    add("daemon", daemon(status["service"]))
    return page.text
  }

  /// What there is, what of it is spent, and what the rest buys.
  private static func budget(_ budget: JSONValue?) -> [String?] {
    guard let daily = budget?["daily_J"]?.number else { return [] }
    let spent = budget?["spent_week_J"]?.number.flatMap { spent in
      budget?["limit_week_J"]?.number.map { "\(spent) of \($0) J spent in seven days" }
    }
    var buys: String?
    if budget?["is_spent"]?.bool == true {
      buys = "no look until more has come in"
    } else if let rest = budget?["rest_pause_s"]?.number,
      let error = budget?["trajectory_error_m"]?.number
    {
      buys = "buys a look every \(rest) s at rest and a track within \(error) m"
    }
    let battery = budget?["battery"]
    let level = battery?["level_percent"]?.number.flatMap { level in
      battery?["days_left"]?.number.map { "battery at \(level) % for \($0) days" }
    }
    let lastDay = budget?["spent_day_J"]?.number.map { "\($0) J in the last day" }
    return ["\(daily) J a day", level, battery?["failure"]?.string, lastDay, spent, buys]
  }

  /// The daemon's cost, and what it could not deliver.
  private static func daemon(_ service: JSONValue?) -> [String?] {
    let counters = [
      ("wakeups", "wake-ups"), ("dropped_messages", "log messages dropped"),
      ("dropped_notices", "notices not read"), ("shed_clients", "clients shed"),
      ("failed_connections", "connections not taken"),
    ]
    return counters.enumerated().map { index, counter in
      let count = service?[counter.0]?.integer
      return count.flatMap { index == 0 || $0 > 0 ? "\($0) \(counter.1)" : nil }
    }
  }

  /// "motion trusted (confirmed 12, contradicted 1, heard 40 s ago)"
  private static func source(_ source: JSONValue) -> String? {
    guard let name = source["name"]?.string else { return nil }
    let trust = source["trusted"]?.bool ?? false ? "trusted" : "not trusted"
    let heard = source["heard_ago_s"]?.number.map { "heard \($0) s ago" } ?? "never heard"
    return "\(name) \(trust) (confirmed \(source["confirmed"]?.integer ?? 0), "
      + "contradicted \(source["contradicted"]?.integer ?? 0), \(heard))"
  }

  private static func seconds(_ value: JSONValue) -> String? { value.number.map { "in \($0) s" } }

  private static func current(_ value: JSONValue?) -> String? {
    value?.string ?? value?.number.map { "\($0) mA" } ?? "not measured"
  }

  private static func dropped(_ records: JSONValue?) -> String? {
    records?.integer.flatMap { $0 > 0 ? "\($0) records given up" : nil }
  }

  private static func lostBytes(_ errors: JSONValue?) -> String? {
    let count = ["overruns", "buffer_overruns"].reduce(0) { $0 + (errors?[$1]?.integer ?? 0) }
    return count > 0 ? "bytes lost \(count) times" : nil
  }

  private static func rejected(_ value: JSONValue?) -> String? {
    guard case .object(let causes)? = value, !causes.isEmpty else { return nil }
    let total = causes.reduce(0) { $0 + ($1.value.integer ?? 0) }
    let list = causes.map { "\($0.name) \($0.value.integer ?? 0)" }.joined(separator: ", ")
    return "\(total) rejected (\(list))"
  }
}
