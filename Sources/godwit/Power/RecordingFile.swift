import Fitting
import Notation
import Platform
import Quantities
import Records

/// A recording of `power record` as it is on disk.
struct RecordingFile {
  let path: String
  let recording: Recording
  /// Chip and resistor, as a store's provenance has them; nil for what measures the whole board.
  let monitor: String?

  /// Three hours of an INA226 read as fast as it converts, or four days with a reading a second. It
  /// takes ten times as much memory.
  private static let mostBytes = 64 << 20

  init(_ path: String) throws(CommandError) {
    self.path = path
    let json = try Self.parse(path)
    guard let metadata = json["metadata"], let samples = json["samples"]?.array else {
      throw .failed("\(path): it has no metadata and samples; is it of 'power record --out'?")
    }
    guard metadata["scope"]?.string != "board" else {
      throw .failed("\(path): it is of the whole board's current, not of the receiver's")
    }
    guard let start = metadata["start_utc"]?.string.flatMap({ ISO8601.parse($0) }) else {
      throw .failed(
        "\(path): it has no date (start_utc), because the clock was not set; without one nobody "
          + "knows what the receiver did meanwhile")
    }
    recording = Recording(start: start, samples: Self.samples(samples))
    guard !recording.samples.isEmpty else {
      throw .failed("\(path): no sample of it can be used")
    }
    monitor = MonitorText.of(
      chip: metadata["chip"]?.string, kind: metadata["kind"]?.string,
      shunt: metadata["shunt_mOhm"]?.number,
      tolerance: metadata["shunt_tolerance_percent"]?.number)
  }

  private static func parse(_ path: String) throws(CommandError) -> JSONValue {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SystemFiles.bytes(of: path, atMost: mostBytes)
    } catch {
      throw .failed("\(path): \(error.text)")
    }
    guard bytes.count < mostBytes else {
      throw .failed("\(path): it is larger than 64 MB; record with --interval 1, or day by day")
    }
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw .failed("\(path): \(error.description); is it cut off, or not of 'power record'?")
    }
  }

  /// Readings that are new, in the order of time; what is no number is left out.
  private static func samples(_ array: [JSONValue]) -> [Recording.Sample] {
    var samples: [Recording.Sample] = []
    for item in array where item["new"]?.bool != false {
      guard let elapsed = item["time_s"]?.number, let current = item["current_mA"]?.number,
        let uncertainty = item["current_uncertainty_mA"]?.number,
        let voltage = item["voltage_V"]?.number,
        samples.last.map({ elapsed > $0.elapsed.value }) ?? true
      else { continue }
      samples.append(
        Recording.Sample(
          elapsed: Seconds(elapsed), current: Amperes(milliamperes: current),
          uncertainty: Amperes(milliamperes: uncertainty), voltage: Volts(voltage)))
    }
    return samples
  }
}

/// A monitor in words, the same from a store and from a recording.
enum MonitorText {
  static func of(chip: String?, kind: String?, shunt: Double?, tolerance: Double?) -> String? {
    guard let chip, let kind, let shunt, let tolerance else { return nil }
    return "\(chip) (\(kind)), \(FixedDecimal.text(shunt, digits: 1)) mΩ "
      + "± \(FixedDecimal.text(tolerance, digits: 1)) %"
  }
}
