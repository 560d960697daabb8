import Energy
import Notation
import Quantities

/// The file of a recording: CSV, or JSON with metadata and statistics around the samples. It
/// appears whole when the recording ends.
final class PowerRecording {
  private enum Format { case csv, json }

  private let format: Format
  private let file: AtomicFile
  private var buffer: [UInt8] = []
  private var samples = 0

  init(path: String) throws {
    if path.hasSuffix(".csv") {
      format = .csv
    } else if path.hasSuffix(".json") {
      format = .json
    } else {
      throw CommandError.wrongUsage("--out \(path): the name must end in .csv or .json")
    }
    do {
      file = try AtomicFile(path: path)
    } catch {
      throw CommandError.failed("--out: \(error.description)")
    }
  }

  func begin(_ metadata: JSONValue) throws {
    switch format {
    case .csv:
      buffer +=
        Array(
          "time_s,current_mA,current_uncertainty_mA,voltage_V,power_mW,below_floor,new\n".utf8)
    case .json: buffer += Array("{\"metadata\":\(metadata.text),\n\"samples\":[\n".utf8)
    }
  }

  /// - Parameter elapsed: since the first reading.
  func take(_ reading: PowerReading, _ elapsed: Seconds) throws {
    switch format {
    case .csv: appendRow(reading, elapsed)
    case .json:
      if samples > 0 { buffer += Array(",\n".utf8) }
      buffer += Array(PowerJSON.sample(reading, elapsed).text.utf8)
    }
    samples += 1
    if buffer.count > OutputBytes.flushThreshold {
      try file.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
  }

  private func appendRow(_ reading: PowerReading, _ elapsed: Seconds) {
    let columns = [
      elapsed.value, reading.current.value * 1000, reading.currentUncertainty.value * 1000,
      reading.voltage.value, reading.power.value * 1000,
    ]
    for column in columns {
      FixedDecimal.append(column, digits: 6, to: &buffer)
      buffer.append(UInt8(ascii: ","))
    }
    buffer += Array((reading.isBelowFloor ? "1," : "0,").utf8)
    buffer += Array((reading.isNew ? "1\n" : "0\n").utf8)
  }

  func end(_ statistics: JSONValue) throws {
    if case .json = format { buffer += Array("],\n\"statistics\":\(statistics.text)}\n".utf8) }
    try file.write(buffer)
    try file.commit()
  }
}
