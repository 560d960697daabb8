import Analysis
import Core
import Records

/// A recording of `power record` of a receiver's current.
struct RecordingFile {
  let path: String
  let recording: Recording
  /// Chip and resistor, in the format of a store's provenance; nil for a monitor of the whole
  /// board.
  let monitor: String?

  /// Four months with one reading a second, or five days of an INA226 at its full conversion rate.
  private static let mostSamples = 10_000_000

  init(_ path: String) throws {
    self.path = path
    var samples: [Recording.Sample] = []
    let run = try LabelledRecordings.read(path) { read in
      // The value of a reading without an uncertainty is unknown.
      guard samples.count < Self.mostSamples, read.reading.currentUncertainty > 0 else { return }
      samples.append(
        Recording.Sample(
          elapsed: read.elapsed, current: read.reading.current,
          uncertainty: read.reading.currentUncertainty, voltage: read.reading.voltage))
    }
    guard samples.count < Self.mostSamples else {
      throw CommandError.failed(
        "\(path): it has more than \(Self.mostSamples) readings; record with --interval 1, or in "
          + "parts of a day")
    }
    var messages = StandardError()
    for doubt in run.doubts { print("godwit: \(path): \(doubt)", to: &messages) }
    guard !samples.isEmpty else {
      throw CommandError.failed(
        "\(path): no reading of it has an uncertainty (current_uncertainty_mA)")
    }
    let details = run.details
    guard details.scope != "board" else {
      throw CommandError.failed(
        "\(path): it contains the current of the whole board, not of the receiver")
    }
    guard let start = details.start.flatMap({ ISO8601.parse($0) }) else {
      throw CommandError.failed(
        "\(path): it has no date (start_utc), because it is a table (.csv), or the clock was not "
          + "set; without a date the state of the receiver is unknown")
    }
    recording = Recording(start: start, samples: samples)
    monitor = MonitorText.of(
      chip: details.chip?.rawValue, kind: details.kind,
      shunt: details.shunt.map { $0.value * 1000 }, tolerance: details.shuntTolerance)
  }
}

/// The description of a monitor, the same for a store and for a recording.
enum MonitorText {
  static func of(chip: String?, kind: String?, shunt: Double?, tolerance: Double?) -> String? {
    guard let chip, let kind, let shunt, let tolerance else { return nil }
    return "\(chip) (\(kind)), \(FixedDecimal.text(shunt, digits: 1)) mΩ "
      + "± \(FixedDecimal.text(tolerance, digits: 1)) %"
  }
}
