import ArgumentParser
import Delivery
import Notation
import Outbox
import Platform
import Ports
import Quantities

/// `godwit uplink status`: what waits, and for whom.
struct UplinkStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say what waits in the outbox, and for whom.")

  @OptionGroup var options: ConfigOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let settings = try options.load().settings.uplink
    guard FileStatus(path: settings.path) != nil else {
      throw CommandError.failed(
        "there is no outbox \(settings.path); it is made by the first run of godwit uplink")
    }
    let summaries: [OutboxSummary]
    do throws(OutboxError) {
      summaries = try OutboxFile(path: settings.path).summaries()
    } catch {
      throw CommandError.failed(error.message)
    }
    if json { return try OutputBytes.print(Self.json(summaries)) }
    guard !summaries.isEmpty else { return try OutputBytes.print("Nothing was queued yet.") }
    for summary in summaries { try OutputBytes.print(Self.line(summary)) }
  }

  private static func line(_ summary: OutboxSummary) -> String {
    var text = "\(summary.recipient.rawValue): \(summary.waiting) wait"
    if let oldest = summary.oldest { text += ", the oldest since \(LocalTime.text(oldest))" }
    if summary.refused > 0 { text += "; \(summary.refused) refused" }
    if let refusal = summary.lastRefusal { text += ", the last because \(refusal)" }
    return text
  }

  private static func json(_ summaries: [OutboxSummary]) -> String {
    var json = JSONWriter()
    json.array { json in
      for summary in summaries {
        json.object {
          $0.field("recipient", summary.recipient.rawValue)
          $0.field("waiting", summary.waiting)
          $0.field("oldest", summary.oldest)
          $0.field("refused", summary.refused)
          $0.field("last_refusal", summary.lastRefusal)
        }
      }
    }
    return json.text
  }
}
