import Formats
import Notation
import Quantities
import ReceiverProtocols

/// A recording on disk, read piece by piece, in any supported format.
final class TraceFile {
  let path: String
  let format: TraceFormat
  private let input: InputBytes
  private var head: [UInt8]?
  private var reader: TraceReader?
  private var decoder: ReceiverDecoder
  private var samples: [TraceSample] = []
  private var index = 0
  private var isAtEnd = false
  private var hash = SHA256()
  private(set) var failure: CommandError?

  init(_ path: String, decoderOptions: DecoderOptions) throws {
    self.path = path
    let head: [UInt8]
    do {
      input = try InputBytes(path: path)
      head = try input.next().map { Array($0) } ?? []
    } catch {
      throw CommandError.failed(error.description)
    }
    guard let format = TraceFormat.detect(head: head, fileName: path) else {
      let found =
        head.isEmpty
        ? "the file is empty"
        : "neither NMEA, UBX, gpsd JSON, GPX, PLT nor CSV with a header "
          + "(time,lat,lon[,ele,hacc,speed])"
      throw CommandError.failed("\(path): \(found); \(InputBytes.advice)")
    }
    self.format = format
    self.head = head
    reader = TraceReader(format)
    decoder = ReceiverDecoder(options: decoderOptions)
  }

  /// The error for a recording that is readable, but has no position with a time.
  var holdsNothing: CommandError {
    let nothing = "read as \(format.rawValue), it contains no position"
    guard let first = losses?.first else {
      return .failed("\(path): \(nothing); is it the right file?")
    }
    return .failed("\(path): \(first); \(nothing) that can be used; is it the right file?")
  }

  /// What could not be read in it so far; nil for receiver output, where the decoder counts.
  var losses: TraceLosses? { reader?.losses }

  /// Whether the recording contains the output of a receiver or gpsd, rather than positions.
  var isReceiverLog: Bool { reader == nil }

  /// The next piece of the file as it is; nil at its end.
  func nextBytes() throws -> [UInt8]? {
    let bytes: [UInt8]?
    if let first = head {
      head = nil
      bytes = first.isEmpty ? nil : first
    } else {
      bytes = try input.next().map { Array($0) }
    }
    if let bytes { hash.update(bytes) }
    return bytes
  }

  /// Which file it is. Reads what has not been read.
  func provenance() throws -> JSONValue {
    while try nextBytes() != nil {}
    return .object([
      ("path", .string(path)), ("format", .string(format.rawValue)),
      ("bytes", .count(hash.byteCount)), ("sha256", .string(hash.digest)),
    ])
  }

  /// The next position with its time; nil at the end or after a failure, which `failure` then
  /// holds.
  func nextSample() -> TraceSample? {
    while index == samples.count {
      guard !isAtEnd else { return nil }
      samples.removeAll(keepingCapacity: true)
      index = 0
      do {
        try fill()
      } catch let error as CommandError {
        failure = error
        isAtEnd = true
      } catch {
        failure = .failed("\(path): \(error)")
        isAtEnd = true
      }
    }
    index += 1
    return samples[index - 1]
  }

  private func fill() throws {
    let bytes = try nextBytes()
    isAtEnd = bytes == nil
    if reader != nil {
      do {
        try bytes?.withUnsafeBufferPointer { try reader?.feed($0, into: &samples) }
        if isAtEnd { try reader?.finish(into: &samples) }
      } catch let error as TraceError {
        throw CommandError.failed("\(path): \(error)")
      }
      return
    }
    var fixes: [Fix] = []
    if let bytes {
      decoder.feed(bytes, at: .zero) { fixes.append($0) }
    } else {
      decoder.finish(at: .zero) { fixes.append($0) }
    }
    samples += fixes.compactMap { TraceSample($0) }
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
