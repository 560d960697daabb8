import Energy
import Notation
import Quantities

/// The file of a recording: CSV, or JSON with metadata and statistics around the samples. It
/// appears, complete, when the recording ends.
final class PowerRecording {
  private enum Format { case csv, json }

  private let format: Format
  private let file: AtomicFile
  private var buffer: [UInt8] = []
  private var json = JSONWriter()
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
    case .csv: buffer += Array(PowerSample.columns.csvHeading.utf8)
    case .json: buffer += Array("{\"metadata\":\(metadata.text),\n\"samples\":[\n".utf8)
    }
  }

  /// - Parameter elapsed: since the first reading.
  func take(_ reading: PowerReading, _ elapsed: Seconds) throws {
    let sample = PowerSample(elapsed: elapsed, reading: reading)
    switch format {
    case .csv: PowerSample.columns.append(sample, toCSV: &buffer)
    case .json:
      if samples > 0 { buffer += Array(",\n".utf8) }
      json.removeAll()
      PowerSample.columns.append(sample, to: &json)
      buffer += json.bytes
    }
    samples += 1
    if buffer.count > OutputBytes.flushThreshold {
      try file.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
  }

  func end(_ statistics: JSONValue) throws {
    if case .json = format { buffer += Array("],\n\"statistics\":\(statistics.text)}\n".utf8) }
    try file.write(buffer)
    try file.commit()
  }
}
