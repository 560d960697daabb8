import Energy
import GodwitSettings
import Notation
import Platform
import Ports
import Quantities
import Records
import Runtime

/// Readings of a monitor for some time, with their statistics, into a file or none.
struct RecordingSession {
  let monitor: any PowerMonitorPort
  let settings: Settings
  /// Nil: every conversion, where the driver keeps them all, else as fast as the chip converts.
  let interval: Seconds?
  /// Nil: until a signal interrupts.
  let limit: Seconds?

  /// - Parameter details: what the recording's metadata says besides.
  /// - Returns: the statistics, and what the recording says of itself.
  func run(
    into recording: PowerRecording?, details: [(String, JSONValue)] = []
  ) throws -> (PowerStatistics, JSONValue) {
    let step = interval ?? max(0.01, monitor.window * 1.25)
    let sampler = PowerSampler(monitor: monitor, interval: step, limit: limit)
    let trace = interval == nil ? try trace() : nil
    var statistics = PowerStatistics(period: trace == nil ? sampler.period : monitor.window)
    var first: BootInstant?
    var metadata = JSONValue.null
    func begin(at start: BootInstant) throws {
      first = start
      let calendar = SystemCalendar.date(notBefore: settings.receiver.dateFloor)
      metadata = PowerJSON.metadata(
        settings, monitor, interval: step,
        start: RecordingStart(instant: start, calendar: calendar), details: details)
      try recording?.begin(metadata)
    }
    let take: (Result<PowerReading, PowerMonitorError>, Seconds) throws -> Void = { result, _ in
      switch result {
      case .success(let reading):
        if first == nil { try begin(at: reading.taken) }
        statistics.take(reading)
        try recording?.take(reading, reading.taken - (first ?? reading.taken))
      case .failure(let error):
        statistics.fail()
        if statistics.failures == 1 {
          var messages = StandardError()
          print("godwit: \(error.message)", to: &messages)
        }
      }
    }
    if let trace { try sampler.run(trace, take) } else { try sampler.run(take) }
    if first == nil { try begin(at: BootClock.now) }
    return (statistics, metadata)
  }

  /// If the buffer is not available, that is reported, and the readings are taken one by one.
  private func trace() throws -> (any PowerTrace)? {
    do throws(PowerMonitorError) {
      return try monitor.trace()
    } catch {
      var messages = StandardError()
      print("godwit: without the driver's buffer: \(error.message)", to: &messages)
      return nil
    }
  }
}
