import Energy
import Quantities

/// Keeps readings apart by one conversion: what is asked for sooner is the last one again.
struct ReadingPace {
  /// From one converted value to the next, as configured.
  let window: Seconds
  private var last: PowerReading?
  private var asked: BootInstant?

  /// The chips' clocks may be a tenth slow (INA226, SBOS547B: conversion time, maximum).
  private static let slowest = 1.1

  init(window: Seconds) { self.window = window }

  /// The last reading, marked as not new, while the chip cannot have converted another one.
  func repeated(at now: BootInstant) -> PowerReading? {
    guard var reading = last, let asked, now >= asked, now - asked < window * Self.slowest else {
      return nil
    }
    reading.isNew = false
    return reading
  }

  mutating func note(_ reading: PowerReading, at now: BootInstant) {
    last = reading
    asked = now
  }
}
