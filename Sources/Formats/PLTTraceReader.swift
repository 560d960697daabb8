import Notation
import Quantities

/// Reads the PLT files of Microsoft's GeoLife: six lines of preamble, then
/// `latitude,longitude,0,altitude in feet,days since 1899-12-30,date,time`, in GMT. Lines that
/// cannot be read are skipped and counted.
struct PLTTraceReader: Sendable {
  private static let preambleLines = 6
  private static let metresPerFoot = 0.3048
  /// The altitude that means none.
  private static let unknownAltitude = -777.0

  private var lines = LineSplitter(quotes: false)

  private(set) var losses = TraceLosses()

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into samples: inout [TraceSample]
  ) throws(TraceError) {
    var losses = self.losses
    defer { self.losses = losses }
    try lines.feed(bytes) { (line, number) throws(TraceError) in
      Self.read(line, number, into: &samples, &losses)
    }
  }

  mutating func finish(into samples: inout [TraceSample]) throws(TraceError) {
    var losses = self.losses
    defer { self.losses = losses }
    try lines.finish { (line, number) throws(TraceError) in
      Self.read(line, number, into: &samples, &losses)
    }
  }

  /// Returns whether the line could be read.
  private static func read(
    _ line: Result<UnsafeBufferPointer<UInt8>, TraceError>, _ number: Int,
    into samples: inout [TraceSample], _ losses: inout TraceLosses
  ) -> Bool {
    guard number > preambleLines else { return true }
    do throws(TraceError) {
      let line = try line.get()
      if !line.isEmpty { samples.append(try sample(line, number)) }
      return true
    } catch {
      losses.pass(over: error)
      return false
    }
  }

  private static func sample(
    _ line: UnsafeBufferPointer<UInt8>, _ number: Int
  ) throws(TraceError) -> TraceSample {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count == 7 else {
      throw TraceError(line: number, "\(fields.count) columns instead of PLT's 7")
    }
    func field(_ index: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: fields[index])
    }
    guard let latitude = DecimalText.number(field(0)), let longitude = DecimalText.number(field(1)),
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude)
    else {
      throw TraceError(line: number, "the first two columns are not a latitude and longitude")
    }
    // Date and time are adjacent, with a comma between them.
    var moment = Array(fields[5])
    moment.append(UInt8(ascii: "T"))
    moment.append(contentsOf: fields[6])
    guard let time = moment.withUnsafeBufferPointer({ ISO8601.parse($0) }) else {
      throw TraceError(line: number, "the last two columns are not a date and time")
    }
    let feet = DecimalText.number(field(3))
    let altitude = feet.flatMap { $0 == unknownAltitude ? nil : Metres($0 * metresPerFoot) }
    return TraceSample(time: time, position: position, altitude: altitude)
  }
}
