import Delivery
import Notation
import Platform
import Ports
import Quantities
import Records

/// Brings the outbox up to date before a visit: what is new in the store, what has to be said
/// again, and what need not be kept any longer.
struct Gathering {
  private let parts: UplinkRun.Parts
  private let settings: UplinkSettings
  private let topics: UplinkTopics
  private let onLog: (LogEvent) -> Void

  init(
    _ parts: UplinkRun.Parts, _ settings: UplinkSettings, _ topics: UplinkTopics,
    onLog: @escaping (LogEvent) -> Void
  ) {
    self.parts = parts
    self.settings = settings
    self.topics = topics
    self.onLog = onLog
  }

  func gather() throws(UplinkError) {
    let now = BootClock.systemDate
    var gatherer = Gatherer(from: parts.store, into: parts.outbox, settings, topics)
    let chance = String(UInt64.random(in: .min ... .max), radix: 36)
    let result = try gatherer.gather(streamName: chance, at: now)
    for remark in result.remarks { onLog(LogEvent("uplink-store", remark, level: .warning)) }
    if result.queued > 0 { onLog(LogEvent("queued", Counted.text(result.queued, "message"))) }
    do throws(OutboxError) {
      _ = try parts.outbox.resend(handedOverBefore: now - settings.receiptTime)
      let dropped = try parts.outbox.tidy(
        settledBefore: now - settings.retention, atMost: settings.mostWaiting)
      guard dropped > 0 else { return }
      onLog(
        LogEvent(
          "dropped", "\(dropped) messages: more than uplink.most_waiting were waiting",
          level: .warning))
    } catch {
      throw UplinkError(error.message)
    }
  }
}
