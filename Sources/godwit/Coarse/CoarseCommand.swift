import ArgumentParser
import Core
import Runtime

struct CoarseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coarse",
    abstract: "Show the sources other than GNSS: motion, surroundings and coarse locations.",
    subcommands: [CoarseWatchCommand.self])
}

struct CoarseWatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the reports of each source, and the motion state that follows.",
    discussion: """
      Receives the daemon's events; it queries no source and wakes no device. The first lines show \
      the present state. Ends with Ctrl-C, or when the daemon ends. 'godwit doctor' checks which \
      sources are present and permitted.
      """)

  @OptionGroup var control: ControlOptions
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    try control.watch { line in
      for line in Self.lines(line, json: json) { try OutputBytes.print(line) }
    }
  }

  /// The output for one line of the daemon; empty if it is not about a source.
  static func lines(_ news: JSONValue, json: Bool) -> [String] {
    switch news["event"]?.string {
    case "status": json ? [state(news).text] : overview(news)
    case "source": [json ? news.text : text(news)]
    case "ended": [json ? news.text : TerminalText.line("\(time(news))  the daemon ends")]
    default: []
    }
  }

  /// The first line, reduced to the sources.
  private static func state(_ news: JSONValue) -> JSONValue {
    let status = news["status"]
    return .object([
      ("event", .string("status")), ("time", news["time"] ?? .null),
      ("sources", status?["sources"] ?? .array([])), ("belief", status?["belief"] ?? .null),
    ])
  }

  private static func overview(_ news: JSONValue) -> [String] {
    let status = news["status"]
    let sources = (status?["sources"]?.array ?? []).compactMap(SourceText.line)
    let none = [
      "no source is configured: see the sections motion, network, wifi and cell of the settings"
    ]
    return ((sources.isEmpty ? none : sources) + [SourceText.motion(status?["belief"])])
      .compactMap { $0 }.map(TerminalText.line)
  }

  /// `2026-05-04 07:12:02  motion    movement; moving for 12 s`
  private static func text(_ news: JSONValue) -> String {
    let source = news["source"]?["source"]
    let failed = source?["failed"]?.bool ?? false ? "failed: " : ""
    let says = failed + (source?["says"]?.string ?? "")
    let motion = SourceText.motion(news["source"]?["belief"]).map { "; \($0)" } ?? ""
    let columns = TextTable([.init(width: 19), .init(width: 8), .init()])
    return TerminalText.line(
      columns.line([time(news), source?["name"]?.string ?? "", says + motion]))
  }

  private static func time(_ news: JSONValue) -> String {
    news["time"]?.string.flatMap(ISO8601.parse).map(LocalTime.text) ?? ""
  }
}
