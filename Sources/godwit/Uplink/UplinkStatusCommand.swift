import ArgumentParser
import Messaging
import Delivery
import GodwitSettings
import Core
import Store
import Platform
import Ports

/// `godwit uplink status`: what waits, by recipient.
struct UplinkStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the messages in the outbox, by recipient.")

  @OptionGroup var options: ConfigOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let settings = try options.load().settings
    let outbox = try UplinkOutbox.open(settings.uplink)
    var summaries: [OutboxSummary]
    let holds: [UplinkTransport: TransportBackOff]
    let last: Exchange?
    let pauses: [UplinkPause]
    do throws(PortError) {
      pauses = try outbox.pauses()
      last = try outbox.exchanges(atMost: 1).last
      summaries = try outbox.summaries()
      holds = try outbox.backoffs()
    } catch {
      throw CommandError.failed(error.message)
    }
    if let people = Self.people(settings) { summaries.append(people) }
    if json { return try OutputBytes.print(Self.json(summaries, holds)) }
    let now = BootClock.systemDate
    if let end = pauses.filter({ $0.start <= now && now < $0.end }).map(\.end).max() {
      try OutputBytes.print("paused until \(LocalTime.text(end)): new records are not sent")
    }
    if let begun = try? RunMarker(outbox).found(), !OutboxLock.isTaken(path: settings.uplink.path) {
      try OutputBytes.print(UplinkOutbox.text(ofRunSince: begun))
    }
    if summaries.isEmpty { try OutputBytes.print("Nothing was queued yet.") }
    for summary in summaries { try OutputBytes.print(Self.line(summary)) }
    for (way, hold) in holds.sorted(by: { $0.key.name < $1.key.name }) {
      try OutputBytes.print(Self.line(way, hold))
    }
    // Unlike back-offs, this failure needs an action by the owner.
    if let last, last.kind == .failed, holds[last.transport] == nil {
      try OutputBytes.print(
        "\(last.transport.name) at \(LocalTime.text(last.time)): \(TerminalText.line(last.note))")
    }
  }

  /// Messages of people wait in the store; nil: nothing is exchanged, or the store cannot be read.
  private static func people(_ settings: Settings) -> OutboxSummary? {
    guard settings.uplink.sendsPeerMessages, let me = settings.people.address,
      let items = try? StoreReader(path: settings.store.path).messages()
    else { return nil }
    let messaging = MessagingState(of: me, hasBroker: true, restoring: items)
    return OutboxSummary(.people, waiting: messaging.pendingCount)
  }

  private static func line(_ summary: OutboxSummary) -> String {
    var text = "\(summary.recipient.rawValue): \(summary.waiting) wait"
    if let oldest = summary.oldest { text += ", the oldest since \(LocalTime.text(oldest))" }
    guard summary.refused > 0 else { return text }
    text += "; \(summary.refused) refused"
    if let refusal = summary.lastRefusal {
      text += ", the last because \(TerminalText.line(refusal))"
    }
    return text + "; godwit uplink queue --refused queues them again"
  }

  private static func line(_ way: UplinkTransport, _ hold: TransportBackOff) -> String {
    let failed = way.failed(hold.failures, why: hold.why)
    guard !UplinkTransport.subscriptions.contains(way) else { return failed }
    return "\(failed); next attempt after \(LocalTime.text(hold.until))"
  }

  private static func json(
    _ summaries: [OutboxSummary], _ holds: [UplinkTransport: TransportBackOff]
  ) -> String {
    var json = JSONWriter()
    json.array { json in
      for summary in summaries {
        let hold = holds[summary.recipient.ownTransport] ?? holds[summary.recipient.route]
        json.object {
          $0.field("recipient", summary.recipient.rawValue)
          $0.field("waiting", summary.waiting)
          $0.field("oldest", summary.oldest)
          $0.field("refused", summary.refused)
          $0.field("last_refusal", summary.lastRefusal)
          write(hold, to: &$0)
        }
      }
      // A transport that fails before anything was queued for a recipient.
      let queued = Set(summaries.flatMap { [$0.recipient.ownTransport, $0.recipient.route] })
      for (way, hold) in holds.sorted(by: { $0.key.name < $1.key.name })
      where !queued.contains(way) {
        json.object {
          $0.field("way", way.name)
          write(hold, to: &$0)
        }
      }
    }
    return json.text
  }

  private static func write(_ hold: TransportBackOff?, to json: inout JSONWriter) {
    json.field("failures_in_a_row", hold?.failures ?? 0)
    json.field("last_failure", hold?.why)
    json.field("left_alone_until", hold?.until)
  }
}

extension UplinkTransport {
  /// For people: the number of consecutive failures, and the last reason.
  func failed(_ count: Int, why: String) -> String {
    let times = count == 1 ? "once" : "\(count) times"
    return "\(name) failed \(times) in a row: \(TerminalText.line(why))"
  }
}
