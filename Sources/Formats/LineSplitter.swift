/// Splits a stream of bytes into lines, without copying those that are complete in one piece.
///
/// Handles LF and CR LF, a byte order mark, and line ends inside quotes, which do not end a line. A
/// quote in a comment ("#") has no effect. A stray quote would swallow the lines after it: if
/// several lines are invalid as one, only the first of them is dropped and the others are read
/// again.
public struct LineSplitter: Sendable {
  /// Longer lines are skipped: no row of a trace is that long.
  static let maxLineLength = 65_536

  /// Receives a line without its line end, or why there is none, and its number from 1. Returns
  /// whether it was readable.
  public typealias Body = (Result<UnsafeBufferPointer<UInt8>, TraceError>, Int) throws(TraceError)
    -> Bool

  /// The number of the current line, from 1.
  private(set) var line = 1
  private var carry: [UInt8] = []
  /// The current line is too long: the rest of it is dropped.
  private var isOverlong = false
  private var isQuoted = false
  private var lineEndsInside = 0
  private let knowsQuotes: Bool

  /// - Parameter quotes: whether a line end inside quotes does not end the line.
  public init(quotes: Bool) { knowsQuotes = quotes }

  /// Calls `body` with each line that ends in this piece.
  public mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: Body
  ) throws(TraceError) {
    var start = 0
    var index = 0
    let count = bytes.count
    while index < count {
      let byte = bytes[index]
      // One comparison for nearly all bytes: both line feed and quote are below "#".
      if byte < 0x23 {
        if byte == 0x0A {
          if isQuoted {
            lineEndsInside += 1
          } else {
            try end(UnsafeBufferPointer(rebasing: bytes[start..<index]), body)
            start = index + 1
          }
        } else if byte == 0x22, knowsQuotes, !isOverlong,
          (carry.first ?? bytes[start]) != UInt8(ascii: "#")
        {
          isQuoted.toggle()
        }
      }
      index += 1
    }
    if !isOverlong { carry.append(contentsOf: bytes[start...]) }
    guard carry.count > Self.maxLineLength else { return }
    if lineEndsInside > 0 { return try endCarry(isEnded: false, body) }
    carry.removeAll()
    isOverlong = true
    isQuoted = false
  }

  /// The last line, if its line end is missing.
  public mutating func finish(_ body: Body) throws(TraceError) {
    // Each iteration drops at least one line.
    while isOverlong || !carry.isEmpty {
      if isOverlong {
        try endOverlong(body)
      } else {
        try endCarry(isEnded: false, body)
      }
    }
  }

  private var tooLong: TraceError {
    TraceError(
      line: line,
      "the line is longer than \(Self.maxLineLength) bytes; check that this is a text file")
  }

  private mutating func end(
    _ rest: UnsafeBufferPointer<UInt8>, _ body: Body
  ) throws(TraceError) {
    if isOverlong { return try endOverlong(body) }
    if carry.isEmpty { return try end(whole: rest, isEnded: true, body) }
    carry.append(contentsOf: rest)
    try endCarry(isEnded: true, body)
  }

  private mutating func endOverlong(_ body: Body) throws(TraceError) {
    isOverlong = false
    _ = try body(.failure(tooLong), line)
    line += 1
  }

  private mutating func endCarry(isEnded: Bool, _ body: Body) throws(TraceError) {
    var whole: [UInt8] = []
    swap(&whole, &carry)
    var failure: TraceError?
    whole.withUnsafeBufferPointer { bytes in
      do throws(TraceError) {
        try end(whole: bytes, isEnded: isEnded, body)
      } catch { failure = error }
    }
    if carry.isEmpty {
      whole.removeAll(keepingCapacity: true)
      swap(&whole, &carry)
    }
    if let failure { throw failure }
  }

  /// - Parameter isEnded: whether there was a line end; at the end of the file it may be missing.
  private mutating func end(
    whole: UnsafeBufferPointer<UInt8>, isEnded: Bool, _ body: Body
  ) throws(TraceError) {
    let content: Result<UnsafeBufferPointer<UInt8>, TraceError>
    if isQuoted {
      content = .failure(TraceError(line: line, "the quote that begins here does not end"))
    } else if whole.count > Self.maxLineLength {
      content = .failure(tooLong)
    } else {
      content = .success(trimmed(whole))
    }
    let isReadable = try body(content, line)
    let others = lineEndsInside
    isQuoted = false
    lineEndsInside = 0
    guard !isReadable, others > 0 else { return line += 1 + others }
    line += 1
    // Without the first line the quotes of the others are balanced, or the last one is odd: this
    // recurses one level deep, and every byte is read twice at most.
    var rest = Array(whole.drop { $0 != 0x0A }.dropFirst())
    if isEnded { rest.append(0x0A) }
    var failure: TraceError?
    rest.withUnsafeBufferPointer { bytes in
      do throws(TraceError) { try feed(bytes, body) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Removes the carriage return, and from the first line the byte order mark.
  private func trimmed(_ whole: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var slice = whole[...]
    if slice.last == 0x0D { slice = slice.dropLast() }
    if line == 1, slice.count >= 3, slice.starts(with: [0xEF, 0xBB, 0xBF]) {
      slice = slice.dropFirst(3)
    }
    return UnsafeBufferPointer(rebasing: slice)
  }
}
