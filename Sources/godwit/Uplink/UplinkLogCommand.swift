import ArgumentParser
import Delivery
import Core
import Store
import Platform
import Ports

/// `godwit uplink log`: what was sent and received.
struct UplinkLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the exchanges with each transport, and failures, the newest last.",
    discussion: "The log is kept as long as received messages (uplink.retention_days).")

  @OptionGroup var options: ConfigOptions
  @Option(help: ArgumentHelp("Number of exchanges to show, the newest.", valueName: "count"))
  var last = 100
  @Flag(help: "Print a JSON array.") var json = false

  func validate() throws {
    guard (1...10_000).contains(last) else {
      throw ValidationError("--last must be 1 to 10000")
    }
  }

  func run() throws {
    let outbox = try UplinkOutbox.open(try options.load().settings.uplink)
    let exchanges: [Exchange]
    do throws(PortError) {
      exchanges = try outbox.exchanges(atMost: last)
    } catch {
      throw CommandError.failed(error.message)
    }
    if json { return try OutputBytes.print(Self.json(exchanges)) }
    guard !exchanges.isEmpty else { return try OutputBytes.print("Nothing was exchanged yet.") }
    for exchange in exchanges { try OutputBytes.print(Self.line(exchange)) }
  }

  private static func line(_ exchange: Exchange) -> String {
    let time = LocalTime.text(exchange.time)
    let note = TerminalText.line(exchange.note)
    switch exchange.kind {
    case .failed: return "\(time)  \(exchange.transport.name)  failed: \(note)"
    case .sent:
      let what = note.isEmpty ? "no message was sent" : note
      return "\(time)  \(exchange.transport.name)  \(what); \(exchange.sentBytes) bytes sent, "
        + "\(exchange.receivedBytes) received"
    }
  }

  private static func json(_ exchanges: [Exchange]) -> String {
    var json = JSONWriter()
    json.array { json in
      for exchange in exchanges {
        json.object {
          $0.field("time", exchange.time, digits: 0)
          $0.field("way", exchange.transport.name)
          $0.field("what", exchange.kind.rawValue)
          $0.field("messages", exchange.messages)
          $0.field("sent_bytes", exchange.sentBytes)
          $0.field("received_bytes", exchange.receivedBytes)
          $0.field("note", exchange.note)
        }
      }
    }
    return json.text
  }
}
