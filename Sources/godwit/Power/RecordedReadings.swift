import Records
import GodwitSettings
import Core
import Platform
import Ports
import Runtime

/// The readings of one monitor over some time: statistics, and optionally a file.
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
  /// When it last delivered something new; initially, when it was first queried.
  private var lastAnswer = BootClock.now
  /// Why it fails; nil while it works, or if it delivers nothing without an error.
  private var failure: String?

  /// - Parameters:
  ///   - interval: the time between readings.
  ///   - mayFlowBack: whether reverse current is intended, for example because a battery is
  ///     charged.
  ///   - details: further metadata of the recording.
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

  /// Called before the first reading, with the actual time between two.
  func expect(period: Seconds) { statistics = PowerStatistics(period: period) }

  func add(_ result: Result<PowerReading, PortError>) throws {
    switch result {
    case .success(let reading):
      failure = nil
      lastAnswer = BootClock.now
      let start = try first ?? begin(at: reading.taken)
      statistics.add(reading)
      try recording?.add(reading, reading.taken - start)
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
  func read() throws { try add(monitor.result) }

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
  /// - Returns: the statistics, and the recording's metadata.
  func end() throws -> (PowerStatistics, JSONValue) {
    if first == nil { _ = try begin(at: BootClock.now) }
    try recording?.end(PowerJSON.statistics(statistics, hasEnergy: objection == nil))
    return (statistics, metadata)
  }

  /// Why the readings give no energy; nil: they do.
  var objection: String? { mayFlowBack ? nil : monitor.objection(to: statistics) }

  /// Leaves the file incomplete, with everything written so far.
  func giveUp() { try? recording?.flush() }

  /// How long it has delivered nothing.
  var silence: Seconds { BootClock.now - lastAnswer }

  /// The monitor, and why it fails.
  var failureText: String { failure ?? "\(monitor.name): no readings" }
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
