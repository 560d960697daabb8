import Core
import Ports
import Records
import Runtime

/// The report on records and store at the end of a run.
struct RunEnd {
  private let health: StoreHealth
  private let closing: PortError?

  /// - Parameters:
  ///   - health: after the last attempt to store the waiting records.
  ///   - closing: why the store could not be closed.
  init(_ health: StoreHealth, closing: PortError?) {
    self.health = health
    self.closing = closing
  }

  /// Records that were dropped during a run that otherwise ended well.
  var earlierLoss: LogEvent? {
    guard health.dropped > 0, unstored == nil else { return nil }
    return LogEvent(
      "records-lost",
      Counted.text(health.dropped, "record of this run was", "records of this run were")
        + " dropped because too many waited for the store or for a date", level: .warning)
  }

  /// What failed at the end itself, for exit code 1; nil if nothing did.
  var failure: String? {
    // The same fault usually also keeps the store from being closed: it is reported once.
    let closing = closing.flatMap { unstored == nil || $0.message != health.failure ? $0 : nil }
    let parts = [closing.map { "the store could not be closed: \($0.message)" }, unstored]
    let report = parts.compactMap { $0 }
    return report.isEmpty ? nil : report.joined(separator: "\n")
  }

  private var unstored: String? {
    guard let reason = health.failure, health.waiting > 0 else { return nil }
    let earlier = health.dropped > 0 ? ", and \(health.dropped) before them" : ""
    return Counted.text(
      health.waiting, "record could not be stored and is lost",
      "records could not be stored and are lost") + "\(earlier): \(reason)"
  }
}
