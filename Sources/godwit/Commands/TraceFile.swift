import Formats
import Core
import GNSS

/// A recording on disk, read piece by piece, in any supported format.
final class TraceFile {
  let path: String
  let format: TraceFormat
  /// With more positions than this, the file is read twice.
  private let mostKept: Int
  private let input: InputBytes
  private var head: [UInt8]?
  private var reader: TraceReader?
  private var decoder: ReceiverDecoder
  private var hash = SHA256()
  /// Available after `prepare` has read the whole file.
  private(set) var findings: TraceFindings?
  /// The unreadable parts; nil for a receiver's output, where the decoder counts.
  private(set) var losses: TraceLosses?
  /// Fixes of a receiver's recording, and how many of them have no date.
  private var fixes = (all: 0, undated: 0)
  private var firstDates = FirstDates()
  /// Sorted by time, for a file that is kept in memory.
  private var rows: [TraceRow] = []
  /// For a file that is read a second time.
  private var rereading: TraceRereading?
  private var samples: [TraceSample] = []
  private var index = 0
  private var isAtEnd = false
  private(set) var failure: CommandError?

  init(
    _ path: String, decoderOptions: DecoderOptions, mostKept: Int = TraceOrdering.mostSorted
  ) throws {
    self.path = path
    self.mostKept = mostKept
    let head: [UInt8]
    do {
      input = try InputBytes(path: path)
      head = try input.next().map { Array($0) } ?? []
    } catch {
      throw CommandError.failed(error.description)
    }
    if let cause = TraceFormat.causeOfNoText(head) {
      throw CommandError.failed("\(path): \(cause)")
    }
    guard let format = TraceFormat.detect(head: head, fileName: path) else {
      let found =
        head.isEmpty
        ? "the file is empty"
        : "neither \(Self.formats)"
      throw CommandError.failed("\(path): \(found); \(InputBytes.advice)")
    }
    self.format = format
    self.head = head
    reader = TraceReader(format)
    decoder = ReceiverDecoder(options: decoderOptions)
  }

  private static let formats =
    "NMEA, UBX, gpsd JSON, GPX, TCX, PLT, JSON with positions nor CSV with a header "
    + "(time,lat,lon[,ele,hacc,speed])"

  /// The error for a readable recording without a position that has a time.
  var noPositionError: CommandError {
    let nothing = "read as \(format.rawValue), it contains no position"
    if let first = losses?.first {
      return .failed("\(path): \(first); \(nothing) that can be used; check the file")
    }
    if let cause = received.causeOfNothing(undated: fixes.undated) {
      return .failed("\(path): \(cause)")
    }
    return .failed("\(path): \(nothing); check the file")
  }

  /// Whether the recording contains the output of a receiver or gpsd, rather than positions.
  var isReceiverLog: Bool { reader == nil }

  /// The next raw piece of the file; nil at its end.
  func nextBytes() throws -> [UInt8]? {
    let bytes: [UInt8]?
    if let first = head {
      head = nil
      bytes = first.isEmpty ? nil : first
    } else {
      bytes = try input.next().map { Array($0) }
    }
    if let bytes, findings == nil { hash.update(bytes) }
    return bytes
  }

  /// Identifies the file. Reads the rest of it.
  func provenance() throws -> JSONValue {
    while findings == nil, try nextBytes() != nil {}
    return .object([
      ("path", .string(path)), ("format", .string(format.rawValue)),
      ("bytes", .count(hash.byteCount)), ("sha256", .string(hash.digest)),
    ])
  }

  /// The number of corrected first dates of a receiver's recording; nil for other files.
  var datesCorrected: Int? { isReceiverLog ? firstDates.corrected : nil }

  /// The losses of a receiver's recording.
  private var received: ReceivedLosses {
    ReceivedLosses(counters: decoder.counters, firsts: decoder.firstRefusals)
  }

  /// The changes made to it, for people.
  var sentences: [String] {
    received.sentences + (findings?.sentences(losses) ?? [])
      + [firstDates.sentence].compactMap { $0 }
  }

  /// Reads and checks the whole file; to be called once, before the first `nextSample`.
  /// - Parameters:
  ///   - individual: the one whose positions are used; nil: all.
  ///   - now: the machine's date; nil: its clock was not set.
  /// - Throws: if it is no usable trace.
  func prepare(individual: String?, now: UTCInstant?) throws -> TraceFindings {
    var ordering = TraceOrdering(individual: individual, mostKept: mostKept, now: now)
    do {
      while !ordering.isTooLongToSort, let rows = try nextRows() {
        ordering.take(rows, of: reader?.individuals)
      }
      losses = reader?.losses
      let rows = try ordering.finish(losses, of: reader?.individuals)
      findings = ordering.findings
      guard ordering.findings.positions > 0 else { throw noPositionError }
      if let rows {
        self.rows = rows
      } else {
        try beginAnew(ordering.findings, individual)
      }
    } catch let error as TraceError {
      throw CommandError.failed("\(path): \(error)")
    } catch let error as TraceRefusal {
      throw CommandError.failed("\(path): \(error)")
    }
    return ordering.findings
  }

  private func beginAnew(_ findings: TraceFindings, _ individual: String?) throws {
    guard input.rewind() else {
      throw CommandError.failed(
        "\(path): more than \(mostKept) positions must be read twice, and a "
          + "pipe can be read only once: save it as a file")
    }
    isAtEnd = false
    fixes = (0, 0)
    firstDates = FirstDates()
    reader = TraceReader(format)
    decoder = ReceiverDecoder(options: decoder.options)
    rereading = TraceRereading(individual: individual, findings)
  }

  /// The next position with its time, sorted by time; nil at the end or after a failure, which
  /// `failure` then contains.
  func nextSample() -> TraceSample? {
    if index < rows.count {
      index += 1
      return rows[index - 1].sample
    }
    guard rows.isEmpty else { return nil }
    while index == samples.count {
      guard rereading != nil, failure == nil else { return nil }
      samples.removeAll(keepingCapacity: true)
      index = 0
      do {
        if let rows = try nextRows() {
          rereading?.take(rows, of: reader?.individuals, into: &samples)
        } else {
          rereading?.finish(into: &samples)
          rereading = nil
        }
      } catch let error as CommandError {
        failure = error
      } catch {
        failure = .failed("\(path): \(error)")
      }
    }
    index += 1
    return samples[index - 1]
  }

  /// The rows completed by the next piece; nil after the last.
  private func nextRows() throws -> [TraceRow]? {
    guard !isAtEnd else { return nil }
    let bytes = try nextBytes()
    isAtEnd = bytes == nil
    var rows: [TraceRow] = []
    if reader != nil {
      try bytes?.withUnsafeBufferPointer { try reader?.feed($0, into: &rows) }
      if isAtEnd { try reader?.finish(into: &rows) }
      return rows
    }
    var fixes: [Fix] = []
    if let bytes {
      decoder.feed(bytes, at: .zero) { fix in firstDates.process(fix) { fixes.append($0) } }
    } else {
      decoder.finish(at: .zero) { fix in firstDates.process(fix) { fixes.append($0) } }
      firstDates.finish { fixes.append($0) }
    }
    for fix in fixes {
      self.fixes.all += 1
      if fix.hasPosition, fix.time == nil { self.fixes.undated += 1 }
      guard let sample = TraceSample(fix) else { continue }
      rows.append(TraceRow(sample, line: self.fixes.all, unit: .fix))
    }
    return rows
  }
}

extension TraceSample {
  /// The position of a fix; nil if it has none or no time.
  init?(_ fix: Fix) {
    guard let time = fix.time, let position = fix.position, fix.mode != .none else { return nil }
    self.init(
      time: time, position: position, altitude: fix.altitudeMSL, accuracy: fix.horizontalError,
      speed: fix.speed)
  }

  /// The sample as a receiver's fix.
  var fix: Fix {
    var fix = Fix(received: .zero)
    fix.time = time
    fix.mode = altitude == nil ? .twoD : .threeD
    fix.position = position
    fix.altitudeMSL = altitude
    fix.horizontalError = accuracy
    fix.speed = speed
    return fix
  }
}
