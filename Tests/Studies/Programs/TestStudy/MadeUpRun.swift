import Glibc
import Analysis
import Core
import VirtualDevice

extension SeededRandom {
  /// Mean 0, standard deviation 1 (Box and Muller, 1958).
  mutating func normal() -> Double {
    (2 * exponential()).squareRoot() * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }

  /// Mean and standard deviation 1.
  mutating func exponential() -> Double { -log(1 - Double.random(in: 0..<1, using: &self)) }
}

/// A recording of a receiver that alternates between tracking and off, read by an INA226 across 100
/// mΩ.
struct MadeUpRun {
  static let (tracking, off) = (36.8, 2.1)
  /// Of a recording with sixty seconds of each state, in amperes.
  static let mean = (tracking + off) / 2 / 1000
  /// Of gain and shunt together.
  static let gainLimit = 0.011
  private static let period = 30

  let text: String
  let events: RunEvents

  /// - Parameters:
  ///   - gain: the monitor's reading of a true current of 1.
  ///   - minute: the minute of the day at which it begins.
  init(factor: Double, gain: Double = 1, minute: Int = 0, using random: inout SeededRandom) {
    var rows: [String] = []
    var events: [RunEvent] = []
    for second in 0...120 {
      let isTracking = second / Self.period % 2 == 0
      if second % Self.period == 0 {
        events.append(
          RunEvent(
            .receiver(state: isTracking ? "tracking" : "off"), at: .zero + Seconds(Double(second))))
      }
      let current = (isTracking ? Self.tracking : Self.off) * factor + 0.1 * random.normal()
      let read = (current * gain * 40).rounded() / 40
      let uncertainty = Self.gainLimit / 3.0.squareRoot() * read
      rows.append(
        #"{"time_s":\#(Double(second) + 0.5),"current_mA":\#(read),"#
          + #""current_uncertainty_mA":\#(uncertainty),"voltage_V":3.3}"#)
    }
    let start = ISO8601.text(UTCInstant(seconds: 1_777_593_600) + .minutes(Double(minute)))
    text =
      "{\"metadata\":{\"start_boottime_s\":0,\"window_s\":0.035,\"start_utc\":\"\(start)\"},\n"
      + "\"samples\":[\n" + rows.joined(separator: ",\n") + "],\n\"statistics\":{}}\n"
    self.events = RunEvents(events + [RunEvent(.end, at: .zero + 200)])
  }

  func read() throws -> RecordedRun {
    var reader = RecordingReader(file: "run.json", events: events)
    try Array(text.utf8).withUnsafeBufferPointer { try reader.feed($0) }
    return try reader.finish()
  }
}
