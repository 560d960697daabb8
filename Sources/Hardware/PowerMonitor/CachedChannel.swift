import Records
import Ports
import Core

/// A chip under a kernel driver, with its files open.
protocol DriverChannel {
  var device: ChipDevice { get }
  /// Time from one converted value to the next.
  var window: Seconds { get }
  func read(clock: () -> BootInstant) throws(AttributeFault) -> PowerReading
}

/// Keeps the channel of a chip from reading to reading, at the rate of its conversions. A chip that
/// has gone is searched for again: drivers are bound late, and chips lose their supply.
struct CachedChannel<Channel: DriverChannel> {
  private(set) var channel: Channel?
  private var interval: ReadingInterval

  init(window: Seconds) { interval = ReadingInterval(window: window) }

  var window: Seconds { interval.window }

  /// - Parameters:
  ///   - name: gives the monitor's name for messages, with the chip, or without one if that is
  ///     unknown.
  ///   - find: searches for the chip.
  ///   - open: opens the chip that was found.
  mutating func read(
    clock: () -> BootInstant, name: (ChipDevice?) -> String,
    find: () throws(PortError) -> ChipDevice,
    open: (ChipDevice) throws(AttributeFault) -> Channel
  ) throws(PortError) -> PowerReading {
    if let channel {
      if let repeated = interval.repeated(at: clock()) { return repeated }
      do throws(AttributeFault) {
        return try take(channel, clock)
      } catch {
        // It may have been bound again under another number.
        self.channel = nil
        guard error.isGone else { throw error.failure(of: name(channel.device)) }
      }
    }
    let device = try find()
    do throws(AttributeFault) {
      let opened = try open(device)
      interval = ReadingInterval(window: opened.window)
      let reading = try take(opened, clock)
      channel = opened
      return reading
    } catch {
      throw error.failure(of: name(nil))
    }
  }

  private mutating func take(
    _ channel: Channel, _ clock: () -> BootInstant
  ) throws(AttributeFault) -> PowerReading {
    let reading = try channel.read(clock: clock)
    interval.record(reading, at: reading.taken)
    return reading
  }
}

extension AttributeFault {
  /// The error of the monitor's port.
  func failure(of monitor: String) -> PortError {
    PortError("power monitor \(monitor): \(message)\(advice)")
  }
}

/// Limits readings to one per conversion: an earlier request repeats the last one.
struct ReadingInterval {
  /// Time from one converted value to the next, as configured.
  let window: Seconds
  private var last: PowerReading?
  private var lastRequest: BootInstant?

  /// The chips' clocks may be a tenth slow (INA226, SBOS547B: conversion time, maximum).
  private static let maxLateness = 1.1

  init(window: Seconds) { self.window = window }

  /// The last reading, marked as not new, while the chip cannot have converted another.
  func repeated(at now: BootInstant) -> PowerReading? {
    guard var reading = last, let lastRequest, now >= lastRequest,
      now - lastRequest < window * Self.maxLateness
    else {
      return nil
    }
    reading.isNew = false
    return reading
  }

  mutating func record(_ reading: PowerReading, at now: BootInstant) {
    last = reading
    lastRequest = now
  }
}

extension BootInstant {
  /// The best estimate of the time of a value that was read between the two.
  static func middle(_ a: BootInstant, _ b: BootInstant) -> BootInstant { a + (b - a) * 0.5 }
}
