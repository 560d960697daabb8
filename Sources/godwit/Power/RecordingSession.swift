import Records
import Platform
import Ports
import Core

/// Reads a monitor for some time.
struct RecordingSession {
  private let monitor: any PowerMonitorPort
  private let trace: (any PowerTrace)?
  private let limit: Seconds?
  /// The time between two readings, if it is fixed.
  let step: Seconds

  /// - Parameters:
  ///   - interval: nil: every conversion, where the driver keeps them all, else as fast as the chip
  ///     converts.
  ///   - limit: nil: until a signal interrupts.
  init(monitor: any PowerMonitorPort, interval: Seconds?, limit: Seconds?) {
    self.monitor = monitor
    self.limit = limit
    step = interval ?? Self.fastest(of: [monitor])
    trace = interval == nil ? Self.trace(of: monitor) : nil
  }

  /// The interval at which all of them deliver new values.
  static func fastest(of monitors: [any PowerMonitorPort]) -> Seconds {
    max(0.01, (monitors.map(\.window).max() ?? 0) * 1.25)
  }

  /// - Parameter alongside: called after each reading, and regularly while readings are buffered.
  func run(_ readings: RecordedReadings, alongside: () throws -> Void = {}) throws {
    let sampler = PowerSampler(monitor: monitor, interval: step, limit: limit)
    readings.expect(period: trace == nil ? sampler.period : monitor.window)
    if let trace {
      try sampler.run(trace, alongside: alongside) { result, _ in try readings.add(result) }
    } else {
      try sampler.run { result, _ in
        try readings.add(result)
        try alongside()
      }
    }
  }

  /// If the buffer is not available, that is reported, and readings are taken one by one.
  private static func trace(of monitor: any PowerMonitorPort) -> (any PowerTrace)? {
    do throws(PortError) {
      return try monitor.trace()
    } catch {
      var messages = StandardError()
      print("godwit: without the driver's buffer: \(error.message)", to: &messages)
      return nil
    }
  }
}
