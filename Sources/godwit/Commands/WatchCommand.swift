import ArgumentParser
import Core
import Records
import Runtime

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show fixes, decisions, visits and the receiver's states as they happen.",
    discussion: """
      Receives the daemon's events and wakes no device: while the receiver is off, there is \
      nothing to show. The first line shows the present state. Ends with Ctrl-C, or when the \
      daemon ends.
      """)

  @OptionGroup var control: ControlOptions
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    try control.watch { line in
      // Reports of sources are shown by 'godwit coarse watch'.
      guard json || line["event"]?.string != "source" else { return }
      try OutputBytes.print(json ? line.text : Self.text(line))
    }
  }

  /// "first fix after 2.1 s", "no fix"
  private static func session(_ value: JSONValue?) -> String? {
    guard value?["outcome"]?.string == GnssSession.Outcome.open.rawValue else {
      return value?["outcome"]?.string
    }
    return value?["ttff_s"]?.number.map { "first fix after \(Seconds($0).inWords)" }
  }

  /// `2026-05-04 07:12:02  fix       52.0907000, 5.1214000 ± 4 m, 9 of 14 satellites`
  static func text(_ news: JSONValue) -> String {
    guard let event = news["event"]?.string else { return TerminalText.line(news.text) }
    if event == "status" { return StatusPage(news["status"] ?? .null).presentText }
    let time = news["time"]?.string.flatMap(ISO8601.parse).map(LocalTime.text) ?? ""
    let value = news[event]
    let text: String? =
      switch event {
      case "fix": StatusPage.position(value)
      case "decision":
        [value?["kind"]?.string, value?["reason"]?.string].compactMap { $0 }
          .joined(separator: ": ")
      case "visit": StatusPage.visit(value)
      case "receiver": value?["state"]?.string
      case "session": Self.session(value)
      case "ended": "the daemon ends"
      default: value?.text
      }
    let columns = TextTable([.init(width: 19), .init(width: 8), .init()])
    return TerminalText.line(columns.line([time, event, text ?? ""]))
  }
}
