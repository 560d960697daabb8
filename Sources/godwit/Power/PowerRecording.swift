import Records
import Formats
import Core

/// The file of a recording: CSV, or JSON with metadata and statistics around the samples. It gets
/// its name when the recording ends.
final class PowerRecording {
  private enum Format { case csv, json }

  private let format: Format
  private let file: any RecordingTarget
  private let threshold: Int
  private var buffer: [UInt8] = []
  private var json = JSONWriter()
  private var samples = 0

  /// The file appears when it is complete; an abandoned recording leaves nothing.
  convenience init(path: String) throws {
    do {
      try self.init(Self.format(of: path), AtomicFile(path: path), OutputBytes.flushThreshold)
    } catch let error as FileFailure {
      throw CommandError.failed("--out: \(error.description)")
    }
  }

  /// The readings of an abandoned recording stay under another name.
  convenience init(keepingPartsOf path: String) throws {
    try self.init(Self.format(of: path), PartialFile(path: path), 4096)
  }

  private init(_ format: Format, _ file: any RecordingTarget, _ threshold: Int) {
    self.format = format
    self.file = file
    self.threshold = threshold
  }

  private static func format(of path: String) throws(CommandError) -> Format {
    if path.hasSuffix(".csv") { return .csv }
    if path.hasSuffix(".json") { return .json }
    throw .wrongUsage("--out \(path): the name must end in .csv or .json")
  }

  func begin(_ metadata: JSONValue) throws {
    switch format {
    case .csv: buffer += Array(PowerSample.columns.csvHeading.utf8)
    case .json: buffer += Array("{\"metadata\":\(metadata.text),\n\"samples\":[\n".utf8)
    }
  }

  /// - Parameter elapsed: the time since the first reading.
  func add(_ reading: PowerReading, _ elapsed: Seconds) throws {
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
    if buffer.count > threshold { try flush() }
  }

  func flush() throws {
    // A buffer that could not be written completely is not written again.
    defer { buffer.removeAll(keepingCapacity: true) }
    try file.write(buffer)
  }

  func end(_ statistics: JSONValue) throws {
    if case .json = format { buffer += Array("],\n\"statistics\":\(statistics.text)}\n".utf8) }
    try flush()
    try file.commit()
  }
}
