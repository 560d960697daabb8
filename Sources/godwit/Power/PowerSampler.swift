import Records
import Platform
import Ports
import Core
import Runtime

/// Reads a monitor at a constant rate until the time has passed or a signal interrupts.
struct PowerSampler {
  let monitor: any PowerMonitorPort
  let interval: Seconds
  let limit: Seconds?

  /// The time between two readings that the chip can sustain: several intervals when it converts
  /// more slowly than requested.
  var period: Seconds {
    let slowest = monitor.window * 1.1
    return interval * max(1, (slowest / interval).rounded(.up))
  }

  /// - Parameter take: called with every reading or failure, and the time since the start.
  func run(
    _ take: (Result<PowerReading, PortError>, Seconds) throws -> Void
  ) throws {
    Interruption.watch()
    // The chip was already read to check that it answers: avoid the same value twice.
    let start = BootClock.now + min(1, monitor.window * 1.2)
    var due = start
    Self.wait(until: due)
    while !Interruption.isWanted {
      let elapsed = due - start
      if let limit, elapsed > limit { return }
      try take(monitor.result, elapsed)
      due = due + interval
      // Missed readings are a gap, not a burst.
      let now = BootClock.now
      if due < now { due = due + interval * ((now - due) / interval).rounded(.up) }
      Self.wait(until: due)
    }
  }

  /// Like the other `run`, with every conversion of the chip.
  /// - Parameter alongside: called at least twice a second, even without readings.
  func run(
    _ trace: any PowerTrace, alongside: () throws -> Void,
    _ take: (Result<PowerReading, PortError>, Seconds) throws -> Void
  ) throws {
    Interruption.watch()
    let start = BootClock.now
    while !Interruption.isWanted {
      let elapsed = BootClock.now - start
      if let limit, elapsed > limit { return }
      let wait = min(Seconds(0.5), limit.map { $0 - elapsed } ?? 0.5)
      let readings: [PowerReading]
      do throws(PortError) {
        readings = try trace.readings(within: wait)
      } catch {
        throw CommandError.failed(error.message)
      }
      for reading in readings { try take(.success(reading), reading.taken - start) }
      try alongside()
    }
  }

  private static func wait(until due: BootInstant) {
    BootClock.wait(until: due, unless: { Interruption.isWanted })
  }
}
