/// One piece of the byte stream, classified by framing and checksum.
enum Frame {
  /// Between `$` and `*`, checksum verified.
  case sentence(UnsafeBufferPointer<UInt8>)
  /// A whole line from `$` to its end that has no checksum.
  case unguardedSentence(UnsafeBufferPointer<UInt8>)
  /// Class, id, length and payload, checksum verified.
  case ubx(UnsafeBufferPointer<UInt8>)
  /// A line of gpsd's JSON.
  case report(UnsafeBufferPointer<UInt8>)
  case rtcm
  case comment
  case refused(Refusal)
  case garbage(Int)
  /// The rest may be the start of a frame: more bytes are needed.
  case incomplete

  enum Refusal {
    case badChecksum, overlongLine, badUBXChecksum
  }
}

/// Splits a buffer into frames: NMEA and AIS lines, UBX, RTCM 3 and gpsd's JSON lines, in any
/// mixture. Invalid input is refused, and the scan continues at the next byte that could start a
/// frame, so that one lost byte costs one sentence. Looks ahead at most one frame's length.
struct FrameScanner {
  /// NMEA 0183 allows 82 characters; PUBX,03 with four constellations' satellites reaches 900.
  static let maxLineLength = 1024
  /// Including its end. A longer line may be several sentences whose ends were lost. Their
  /// exclusive or can match the last checksum by chance, so that the first sentence is checked
  /// first.
  private static let usualLineLength = 82
  /// The longest SKY fits: GPS_JSON_RESPONSE_MAX in gpsd's gps_json.h is about 10 kB.
  static let maxReportSize = 16_384

  var position: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  /// Whether this is the end of the input: the last line may lack its end.
  let isFinal: Bool
  var isAtLineStart: Bool
  /// Where the last returned frame begins.
  private(set) var frameStart: UnsafePointer<UInt8>
  /// The number of line ends outside binary frames before that frame.
  private(set) var linesEnded = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool, isAtLineStart: Bool) {
    // An empty buffer may have no address; the decoder never scans one.
    position = bytes.baseAddress.unsafelyUnwrapped
    frameStart = position
    end = position + bytes.count
    self.isFinal = isFinal
    self.isAtLineStart = isAtLineStart
  }

  mutating func next() -> Frame {
    while position < end, position.pointee == UInt8(ascii: "\n") || isCarriageReturn {
      isAtLineStart = true
      if !isCarriageReturn { linesEnded += 1 }
      position += 1
    }
    frameStart = position
    guard position < end else { return .incomplete }
    switch position.pointee {
    case UInt8(ascii: "$"), UInt8(ascii: "!"): return line()
    case UBXFrame.firstPreamble: return ubx()
    case RTCMFrame.preamble: return rtcm()
    case UInt8(ascii: "{"): return report()
    case UInt8(ascii: "#") where isAtLineStart: return comment()
    default: return garbage()
    }
  }

  private var isCarriageReturn: Bool { position.pointee == UInt8(ascii: "\r") }

  /// Whether a frame could start with this byte.
  private static func isCandidate(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "$") || byte == UBXFrame.firstPreamble || byte == UInt8(ascii: "{")
      || byte == RTCMFrame.preamble || byte == UInt8(ascii: "!")
  }

  /// Skips at least one byte, up to the next one that could start a frame or end a line.
  private mutating func garbage() -> Frame {
    let start = position
    repeat {
      position += 1
    } while position < end && !Self.isCandidate(position.pointee)
      && position.pointee != UInt8(ascii: "\n") && !isCarriageReturn
    isAtLineStart = false
    return .garbage(position - start)
  }

  // MARK: Lines

  private mutating func line() -> Frame {
    let limit = min(end, position + Self.maxLineLength)
    let (lineEnd, xor) = ByteSearch.first(UInt8(ascii: "\n"), from: position, limit: limit)
    guard lineEnd < limit || (isFinal && limit == end) else {
      return limit == end && end - position < Self.maxLineLength ? .incomplete : overlongLine(limit)
    }
    isAtLineStart = true
    if lineEnd - position <= Self.usualLineLength,
      let body = NMEAChecksum.body(from: position, to: lineEnd, xor: xor)
    {
      position = lineEnd
      return .sentence(body)
    }
    return doubtfulLine(lineEnd)
  }

  /// A line that is not one valid sentence: perhaps two joined ones, a truncated one followed by a
  /// valid one, one with binary data after it, or one without a checksum.
  private mutating func doubtfulLine(_ lineEnd: UnsafePointer<UInt8>) -> Frame {
    let start = position
    if let body = NMEAChecksum.firstBody(from: start, to: lineEnd) {
      position = body.baseAddress.unsafelyUnwrapped + body.count + 3
      return .sentence(body)
    }
    position = candidate(after: start, before: lineEnd)
    if NMEAChecksum.isPresent(from: start, to: position) { return .refused(.badChecksum) }
    guard NMEAChecksum.isText(from: start, to: position) else { return .garbage(position - start) }
    // Without a checksum only the line end shows that it is complete.
    guard position == lineEnd, lineEnd < end else { return .refused(.badChecksum) }
    let bodyEnd = NMEAChecksum.trimmed(from: start, to: lineEnd)
    return .unguardedSentence(.init(start: start + 1, count: bodyEnd - (start + 1)))
  }

  private mutating func overlongLine(_ limit: UnsafePointer<UInt8>) -> Frame {
    if let body = NMEAChecksum.firstBody(from: position, to: limit) {
      position = body.baseAddress.unsafelyUnwrapped + body.count + 3
      return .sentence(body)
    }
    position = candidate(after: position, before: limit)
    isAtLineStart = false
    return .refused(.overlongLine)
  }

  private func candidate(
    after start: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var next = start + 1
    while next < limit, !Self.isCandidate(next.pointee) { next += 1 }
    return next
  }

  // MARK: Other frames

  private mutating func report() -> Frame {
    guard position + 1 < end else { return isFinal ? garbage() : .incomplete }
    // A report starts with a member's name, unlike a lone brace in noise.
    guard position[1] == UInt8(ascii: "\"") else { return garbage() }
    let limit = min(end, position + Self.maxReportSize)
    let start = position
    let (lineEnd, _) = ByteSearch.first(UInt8(ascii: "\n"), from: start, limit: limit)
    guard lineEnd < limit || (isFinal && limit == end) else {
      guard limit - start == Self.maxReportSize else { return .incomplete }
      position += 1
      isAtLineStart = false
      return .refused(.overlongLine)
    }
    isAtLineStart = true
    position = lineEnd
    return .report(.init(start: start, count: lineEnd - start))
  }

  /// gpsd's recordings contain comments in lines that start with `#`.
  private mutating func comment() -> Frame {
    let limit = min(end, position + Self.maxReportSize)
    let (lineEnd, _) = ByteSearch.first(UInt8(ascii: "\n"), from: position, limit: limit)
    guard lineEnd < limit || (isFinal && limit == end) else {
      return limit - position == Self.maxReportSize ? garbage() : .incomplete
    }
    position = lineEnd
    return .comment
  }

  private mutating func ubx() -> Frame {
    switch UBXFrame.check(from: position, to: end) {
    case .sound(let body):
      isAtLineStart = true
      position = body.baseAddress.unsafelyUnwrapped + body.count + 2
      return .ubx(body)
    case .incomplete: return isFinal ? garbage() : .incomplete
    case .notAFrame: return garbage()
    case .badChecksum:
      position += 2
      isAtLineStart = false
      return .refused(.badUBXChecksum)
    }
  }

  private mutating func rtcm() -> Frame {
    switch RTCMFrame.check(from: position, to: end) {
    case .sound(let count):
      isAtLineStart = true
      position += count
      return .rtcm
    case .incomplete: return isFinal ? garbage() : .incomplete
    case .notAFrame: return garbage()
    }
  }
}

/// RTCM 3 corrections on the same line: D3, six zero bits, ten bits of length, payload and a
/// CRC-24Q (RTCM 10403, section 4). They are recognised only in order to be skipped as a whole.
enum RTCMFrame {
  static let preamble: UInt8 = 0xd3

  enum Check {
    case sound(count: Int)
    case incomplete, notAFrame
  }

  static func check(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Check {
    let available = end - start
    if available >= 2, start[1] & 0xfc != 0 { return .notAFrame }
    guard available >= 3 else { return .incomplete }
    let count = 6 + (Int(start[1]) << 8 | Int(start[2]))
    guard available >= count else { return .incomplete }
    // The CRC over a message including its CRC is zero.
    return crc24q(UnsafeBufferPointer(start: start, count: count)) == 0
      ? .sound(count: count) : .notAFrame
  }

  static func crc24q(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var crc: UInt32 = 0
    for byte in bytes {
      crc ^= UInt32(byte) << 16
      for _ in 0..<8 {
        crc <<= 1
        if crc & 0x100_0000 != 0 { crc ^= 0x186_4cfb }
      }
    }
    return crc
  }
}
