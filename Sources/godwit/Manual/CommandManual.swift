import GodwitSettings
import Core

/// The manual page godwit(1), in mdoc, generated from the declared commands. Options that several
/// commands share are explained once.
struct CommandManual {
  /// - Parameter date: of the program's version, as manuals write it: "May 1, 2026".
  /// - Throws: if the argument parser describes the commands in an unknown format.
  static func render(date: String) throws -> String {
    let dump = try JSONValue(parsing: Array(Godwit._dumpHelp().utf8))
    guard let root = dump["command"] else {
      throw CommandError.failed("the argument parser does not describe the commands")
    }
    return CommandManual(ManualEntry.all(below: root)).text(date: date)
  }

  private let entries: [ManualEntry]
  /// In the order of their first command.
  private let shared: [ManualOption]

  /// The number of commands from which an option is explained in the common section.
  private static let manyCommands = 3

  private init(_ entries: [ManualEntry]) {
    self.entries = entries
    var counts: [ManualOption: Int] = [:]
    for option in entries.flatMap(\.options) { counts[option, default: 0] += 1 }
    var shared: [ManualOption] = []
    for option in entries.flatMap(\.options)
    where counts[option, default: 0] >= Self.manyCommands && !shared.contains(option) {
      shared.append(option)
    }
    self.shared = shared
  }

  private func text(date: String) -> String {
    var lines = ManualText.head(
      "godwit", section: 1, "energy-aware GNSS tracker for small boards", date: date)
    lines += [
      ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar option ...", ".Nm", ".Op Ar command",
      ".Fl -help",
      ".Nm", ".Fl -version", ".Sh DESCRIPTION", ".Nm",
    ]
    lines += ManualText.lines(
      "records where a board was, where it stayed and when, for as long as possible on a battery: "
        + "it decides when the GNSS receiver is worth its energy, and derives visits from few "
        + "fixes without inventing unobserved stays. The daemon is")
    lines += [".Nm", ".Cm run ;", "the other commands query it, read its store, or simulate."]
    lines.append(".Sh COMMANDS")
    lines.append(".Bl -tag -width Ds")
    for entry in entries { lines += item(entry) }
    lines += [".El", ".Sh OPTIONS"]
    lines.append("These options are common to several commands and explained only here.")
    lines.append(".Bl -tag -width Ds")
    lines += shared.flatMap { $0.item }
    lines += [".It Fl h , Fl -help", "Explains a command and its options.", ".It Fl -version"]
    lines += ["Prints the version.", ".El"]
    return (lines + Self.surroundings + Self.examples).joined(separator: "\n") + "\n"
  }

  private func item(_ entry: ManualEntry) -> [String] {
    let line = ["Cm \(entry.name)", entry.synopsis].filter { !$0.isEmpty }.joined(separator: " ")
    var lines = [".It \(line)"] + ManualText.lines(entry.abstract)
    if let discussion = entry.discussion { lines += ManualText.lines(discussion) }
    let own = entry.arguments + entry.options.filter { !shared.contains($0) }
    guard !own.isEmpty else { return lines }
    return lines + [".Bl -tag -width Ds"] + own.flatMap(\.item) + [".El"]
  }

  private static var surroundings: [String] {
    let settings = Settings()
    var lines = [".Sh ENVIRONMENT", ".Bl -tag -width Ds", ".It Ev \(BoardFolders.variable)"]
    lines.append("Another folder that is searched for boards by name, before all others.")
    lines.append(".It Ev TZ")
    lines.append("The time zone of tables, and of times without one; otherwise the system's.")
    lines.append(".It Ev NOTIFY_SOCKET , WATCHDOG_USEC , JOURNAL_STREAM")
    lines.append("Set by systemd, for the daemon.")
    lines += [".El", ".Sh FILES", ".Bl -tag -width Ds"]
    for (path, meaning) in [
      (ConfigOptions.systemSettings, "Settings; without this file, all have their defaults."),
      (ConfigOptions.systemBoard, "Board, if no board is named."),
      (settings.store.path, "Store, if the settings name no other."),
      (settings.control.socket, "Control socket of the daemon, if the settings name no other."),
    ] { lines += [".It Pa \(path)", meaning] }
    lines += [".El", ".Sh EXIT STATUS", ".Bl -tag -width Ds"]
    for (status, meaning) in [
      ("0", "Success."), ("1", "Failure, or a check found a fault; the message states the reason."),
      (
        "2",
        "Wrong usage or settings: nothing was done. Of status --check: nothing is recorded, or no "
          + "daemon answers."
      ),
    ] { lines += [".It \(status)"] + ManualText.lines(meaning) }
    return lines + [".El"]
  }

  private static var examples: [String] {
    var lines = [".Sh EXAMPLES"]
    for (what, command) in [
      ("Check that everything is connected as set:", "doctor --config godwit.toml"),
      ("Show what the daemon does, and why:", "status"),
      ("List the visits of May:", "visits --from 2026-05-01 --to 2026-06-01"),
      ("Name the second destination:", "destinations label 2 Office"),
      ("Export the track and the visits for other programs:", "export gpx --output may.gpx"),
      (
        "Simulate another schedule with a recorded walk:",
        "simulate walk.gpx --policy periodic --store try.gpkg"
      ),
      ("Make a complete copy while the daemon runs:", "store backup /media/usb/life.gpkg"),
    ] {
      lines += [what, ".Dl godwit \(command.replacing("-", with: "\\-"))"]
    }
    return lines + [".Sh SEE ALSO", ".Xr godwit.gpkg 5 ,", ".Xr godwit.toml 5 ,", ".Xr gpsd 8"]
  }
}

/// A command without subcommands.
private struct ManualEntry {
  /// The full name, including parent commands: "store check".
  let name: String
  let abstract: String
  let discussion: String?
  let arguments: [ManualOption]
  let options: [ManualOption]

  /// The commands that are neither hidden nor the parser's own `help`.
  static func all(below command: JSONValue, named outer: String = "") -> [ManualEntry] {
    (command["subcommands"]?.array ?? []).flatMap { command -> [ManualEntry] in
      let word = command["commandName"]?.string ?? ""
      guard command["shouldDisplay"]?.bool != false, word != "help" else { return [] }
      let name = outer.isEmpty ? word : "\(outer) \(word)"
      let inner = all(below: command, named: name)
      guard inner.isEmpty else { return inner }
      let all = (command["arguments"]?.array ?? []).compactMap { ManualOption($0) }
      return [
        ManualEntry(
          name: name, abstract: command["abstract"]?.string ?? "",
          discussion: command["discussion"]?.string, arguments: all.filter(\.isPositional),
          options: all.filter { !$0.isPositional })
      ]
    }
  }

  var synopsis: String {
    (arguments + options).map { $0.isOptional ? "Oo \($0.usage) Oc" : $0.usage }
      .joined(separator: " ")
  }
}

/// An option, a flag or a positional argument of a command.
private struct ManualOption: Hashable {
  let isPositional: Bool
  let isOptional: Bool
  private let names: [String]
  /// The name of its value; nil for a flag.
  private let value: String?
  private let abstract: String
  private let builtIn: String?

  /// Nil for hidden options, and for those that every command has.
  init?(_ argument: JSONValue) {
    let names = (argument["names"]?.array ?? []).compactMap { $0["name"]?.string }
    guard argument["shouldDisplay"]?.bool != false, !names.contains("help"),
      !names.contains("version")
    else { return nil }
    let kind = argument["kind"]?.string
    isPositional = kind == "positional"
    isOptional = argument["isOptional"]?.bool ?? false
    value = kind == "flag" ? nil : argument["valueName"]?.string
    abstract = argument["abstract"]?.string ?? ""
    builtIn = argument["defaultValue"]?.string
    // The short name comes first, as in the help.
    self.names = names.sorted { $0.count < $1.count }
  }

  var usage: String {
    let name = names.last.map { "Fl -\($0) " } ?? ""
    return name + (value.map { "Ar \($0)" } ?? "")
  }

  var item: [String] {
    let flags = names.map { $0.count == 1 ? "Fl \($0)" : "Fl -\($0)" }.joined(separator: " , ")
    let head = [flags, value.map { "Ar \($0)" } ?? ""].filter { !$0.isEmpty }
    var lines = [".It \(head.joined(separator: " "))"] + ManualText.lines(abstract)
    if let builtIn { lines += ManualText.lines("Default: \(builtIn).") }
    return lines
  }
}
