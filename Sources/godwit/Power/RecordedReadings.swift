import Records
import GodwitSettings
import Core
import Platform
import Ports
import Runtime

/// What one monitor has told for some time: statistics, and a file or none.
final class RecordedReadings {
  private let monitor: any PowerMonitorPort
  private let settings: Settings
  private let interval: Seconds
  private let recording: PowerRecording?
  private let mayFlowBack: Bool
  private let details: [(String, JSONValue)]
  private var statistics: PowerStatistics
  private var metadata = JSONValue.null
  /// When the first reading was taken.
  private var first: BootInstant?
  /// When it last told something new; at first, when it was first asked.
  private var lastAnswer = BootClock.now
  /// Why it does not answer; nil while it does, or says nothing at all.
  private var failure: String?

  /// - Parameters:
  ///   - interval: from one reading to the next.
  ///   - mayFlowBack: whether current that flows back is meant, as where a battery is charged.
  ///   - details: what the recording's metadata says besides.
  init(
    of monitor: any PowerMonitorPort, _ settings: Settings, interval: Seconds,
    into recording: PowerRecording?, mayFlowBack: Bool = false,
    details: [(String, JSONValue)] = []
  ) {
    self.mayFlowBack = mayFlowBack
    self.monitor = monitor
    self.settings = settings
    self.interval = interval
    self.recording = recording
    self.details = details
    statistics = PowerStatistics(period: interval)
  }

  /// Before the first reading: the time between two that is really kept.
  func expect(period: Seconds) { statistics = PowerStatistics(period: period) }

  func take(_ result: Result<PowerReading, PortError>) throws {
    switch result {
    case .success(let reading):
      failure = nil
      lastAnswer = BootClock.now
      let start = try first ?? begin(at: reading.taken)
      statistics.take(reading)
      try recording?.take(reading, reading.taken - start)
    case .failure(let error):
      statistics.fail()
      failure = error.message
      if statistics.failures == 1 {
        var messages = StandardError()
        print("godwit: \(error.message)", to: &messages)
      }
    }
  }

  /// Reads the monitor.
  func read() throws { try take(monitor.result) }

  private func begin(at start: BootInstant) throws -> BootInstant {
    first = start
    let calendar = SystemCalendar.date(notBefore: settings.receiver.dateFloor)
    metadata = PowerJSON.metadata(
      settings, monitor, interval: interval,
      start: RecordingStart(instant: start, calendar: calendar), details: details)
    try recording?.begin(metadata)
    return start
  }

  /// Completes the file.
  /// - Returns: the statistics, and what the recording says of itself.
  func end() throws -> (PowerStatistics, JSONValue) {
    if first == nil { _ = try begin(at: BootClock.now) }
    try recording?.end(PowerJSON.statistics(statistics, hasEnergy: objection == nil))
    return (statistics, metadata)
  }

  /// Why what was told is no energy; nil: it is.
  var objection: String? { mayFlowBack ? nil : monitor.objection(to: statistics) }

  /// Leaves the file as it is, with as much as can be written.
  func giveUp() { try? recording?.flush() }

  /// How long it has been silent.
  var silence: Seconds { BootClock.now - lastAnswer }

  /// Which monitor, and why it does not answer.
  var reproach: String { failure ?? "\(monitor.name): it tells nothing" }
}

extension PowerMonitorPort {
  var result: Result<PowerReading, PortError> {
    do throws(PortError) {
      return .success(try read())
    } catch {
      return .failure(error)
    }
  }
}
