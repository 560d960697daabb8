import Core

/// Reads a dense trace piece by piece: CSV, GPX, TCX, PLT or JSON. The output of receivers and gpsd
/// is decoded by `ReceiverProtocols`.
///
/// An unreadable row is skipped, and counted in `losses`. A file that is not a trace at all is an
/// error.
public struct TraceReader: Sendable {
  private enum Format: Sendable {
    case csv(CSVTraceReader)
    case gpx(GPXTraceReader)
    case plt(PLTTraceReader)
    case json(JSONTraceReader)
  }

  /// Heights outside this range are a program's placeholders, such as -32768, -9999 or 1e9.
  private static let heights: ClosedRange<Metres> = -5000...100_000

  private var format: Format
  private var impossibleHeights = RowCount()

  /// Nil for the formats that are not traces of positions.
  public init?(_ format: TraceFormat) {
    switch format {
    case .csv: self.format = .csv(CSVTraceReader())
    case .gpx: self.format = .gpx(GPXTraceReader(.gpx))
    case .tcx: self.format = .gpx(GPXTraceReader(.tcx))
    case .plt: self.format = .plt(PLTTraceReader())
    case .json: self.format = .json(JSONTraceReader())
    case .receiver, .gpsd: return nil
    }
  }

  /// The losses so far; a truncated file is detected at `finish`.
  public var losses: TraceLosses {
    var losses =
      switch format {
      case .csv(let reader): reader.losses
      case .gpx(let reader): reader.losses
      case .plt(let reader): reader.losses
      case .json(let reader): reader.losses
      }
    losses.heights = impossibleHeights
    return losses
  }

  /// The individuals of the positions, if the file names them.
  public var individuals: TraceIndividuals? {
    switch format {
    case .csv(let reader): reader.individuals
    case .gpx(let reader): reader.individuals
    case .json(let reader): reader.individuals
    case .plt: nil
    }
  }

  /// Appends the positions that end in this piece, in the order of the file, which may differ from
  /// that of time. When it throws, `rows` contains everything before the fault.
  public mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into rows: inout [TraceRow]
  ) throws(TraceError) {
    let start = rows.count
    defer { forgetImpossibleHeights(of: &rows, from: start) }
    switch format {
    case .csv(var reader):
      // The reader is moved out and back, so that its buffers are not copied.
      format = .plt(PLTTraceReader())
      defer { format = .csv(reader) }
      try reader.feed(bytes, into: &rows)
    case .gpx(var reader):
      format = .plt(PLTTraceReader())
      defer { format = .gpx(reader) }
      try reader.feed(bytes, into: &rows)
    case .plt(var reader):
      format = .plt(PLTTraceReader())
      defer { format = .plt(reader) }
      try reader.feed(bytes, into: &rows)
    case .json(var reader):
      format = .plt(PLTTraceReader())
      defer { format = .json(reader) }
      try reader.feed(bytes, into: &rows)
    }
  }

  /// Call at the end of the file: the last line may lack its line end.
  public mutating func finish(into rows: inout [TraceRow]) throws(TraceError) {
    let start = rows.count
    defer { forgetImpossibleHeights(of: &rows, from: start) }
    switch format {
    case .csv(var reader):
      defer { format = .csv(reader) }
      try reader.finish(into: &rows)
    case .gpx(var reader):
      defer { format = .gpx(reader) }
      try reader.finish()
    case .plt(var reader):
      defer { format = .plt(reader) }
      try reader.finish(into: &rows)
    case .json(var reader):
      defer { format = .json(reader) }
      try reader.finish(into: &rows)
    }
  }

  private mutating func forgetImpossibleHeights(of rows: inout [TraceRow], from start: Int) {
    for index in start..<rows.count {
      guard let height = rows[index].sample.altitude, !Self.heights.contains(height) else {
        continue
      }
      impossibleHeights.add(rows[index])
      rows[index].sample.altitude = nil
    }
  }

  /// The positions of a whole trace in memory.
  ///
  /// - Throws: also for a row that `feed` would skip.
  public static func samples(
    of bytes: [UInt8], as format: TraceFormat
  ) throws(TraceError) -> [TraceSample] {
    guard var reader = TraceReader(format) else { return [] }
    var rows: [TraceRow] = []
    var failure: TraceError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(TraceError) {
        try reader.feed(buffer, into: &rows)
        try reader.finish(into: &rows)
      } catch { failure = error }
    }
    if let failure = failure ?? reader.losses.first { throw failure }
    return rows.map(\.sample)
  }
}

/// One line of a recorded trace: the truth for `simulate`, the input for `replay`.
public struct TraceSample: Hashable, Sendable {
  public var time: UTCInstant
  public var position: Coordinate
  public var altitude: Metres?
  /// The horizontal error reported by the recorder.
  public var accuracy: Metres?
  public var speed: MetresPerSecond?

  public init(
    time: UTCInstant, position: Coordinate, altitude: Metres? = nil, accuracy: Metres? = nil,
    speed: MetresPerSecond? = nil
  ) {
    self.time = time
    self.position = position
    self.altitude = altitude
    self.accuracy = accuracy
    self.speed = speed
  }
}

extension TraceSample {
  /// The error for one unit of horizontal dilution of precision: a consumer receiver's range error
  /// is about 5 m.
  static let metresPerHDOP = 5.0
}

/// Where a trace became invalid, and why.
public struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  public let line: Int
  /// What is wrong and what would be right.
  public let reason: String

  public init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  public var description: String { "line \(line): \(reason)" }
}
