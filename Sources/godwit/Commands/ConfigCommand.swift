import ArgumentParser
import Config
import GodwitSettings
import Core

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show, check and explain the settings.",
    subcommands: [Show.self, Check.self, Default.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the merged settings, each with its origin.",
      discussion: "In parentheses: what makes a change take effect in the daemon.")

    @OptionGroup var options: ConfigOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() throws {
      let configuration = try options.load()
      try OutputBytes.print(json ? Self.json(configuration) : Self.text(configuration))
    }

    static func text(_ configuration: Configuration<Settings>) -> String {
      let settings = configuration.declared.settings
      let rows = settings.map { setting in
        (
          "\(setting.key) = \(setting.value.toml)",
          "\(configuration.origin(of: setting.key)) (\(setting.activation.trigger))"
        )
      }
      let width = rows.map(\.0.count).max() ?? 0
      let table = TextTable([.init(width: width), .init()])
      return rows.map { table.line([$0, "# \($1)"]) }.joined(separator: "\n")
    }

    static func json(_ configuration: Configuration<Settings>) -> String {
      var writer = JSONWriter()
      writer.object {
        for setting in configuration.declared.settings {
          $0.key(dynamic: setting.key)
          $0.object {
            $0.field("value", setting.value.json)
            $0.field("origin", configuration.origin(of: setting.key).description)
            $0.field("counts_after", setting.activation.trigger)
          }
        }
      }
      return writer.text
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Report all faults of the settings.")

    @OptionGroup var options: ConfigOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() throws {
      let (configuration, files) = try options.loadWithFiles()
      let settings = configuration.declared.settings
      let changed = settings.count { configuration.origin(of: $0.key) != .builtIn }
      let advice = configuration.settings.advice
      let valid = "The settings are valid: \(settings.count) settings, \(changed) of them set."
      let report = JSONValue.object([
        ("settings", .count(settings.count)), ("set", .count(changed)),
        ("files", .array(files.map { .string($0) })),
        ("warnings", .array(advice.map { .string($0) })),
      ])
      let lines = [valid, Self.sources(files)] + advice.map { "warning: \($0)" }
      try OutputBytes.print(json ? report.text : lines.joined(separator: "\n"))
    }

    /// The files that were checked: without any, the result means little.
    private static func sources(_ files: [String]) -> String {
      guard files.isEmpty else { return "Read: \(files.joined(separator: ", "))." }
      return "No file was read: there is neither \(ConfigOptions.systemSettings) nor "
        + "\(ConfigOptions.systemBoard), and no option names one; these are the built-in defaults."
    }
  }

  struct Default: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a complete settings file with an explanation of every setting.")

    func run() throws { try OutputBytes.print(SettingsText.render(Settings()), terminator: "") }
  }
}
