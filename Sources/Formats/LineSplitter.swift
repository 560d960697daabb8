/// Cuts a stream of bytes into lines without copying those that lie whole in one piece.
///
/// Knows LF and CR LF, a byte order mark, and line ends inside quotes, which do not end a line.
struct LineSplitter: Sendable {
  /// Longer lines are refused: this is no trace.
  static let longestLine = 65_536

  /// The number of the current line, from 1.
  private(set) var line = 1
  private var carry: [UInt8] = []
  private var isQuoted = false
  private var lineEndsInside = 0
  private let knowsQuotes: Bool

  init(quotes: Bool) { knowsQuotes = quotes }

  /// Calls `body` with each line that ends in this piece, without its end.
  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, Int) throws(TraceError) -> Void
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
        } else if byte == 0x22, knowsQuotes {
          isQuoted.toggle()
        }
      }
      index += 1
    }
    carry.append(contentsOf: bytes[start...])
    guard carry.count <= Self.longestLine else { throw tooLong }
  }

  /// The last line, if its end is missing.
  mutating func finish(
    _ body: (UnsafeBufferPointer<UInt8>, Int) throws(TraceError) -> Void
  ) throws(TraceError) {
    guard !isQuoted else {
      throw TraceError(line: line, "the quote that begins here never ends")
    }
    guard !carry.isEmpty else { return }
    try end(UnsafeBufferPointer(start: nil, count: 0), body)
  }

  private var tooLong: TraceError {
    TraceError(
      line: line, "the line is longer than \(Self.longestLine) bytes; is this a text file?")
  }

  private mutating func end(
    _ rest: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, Int) throws(TraceError) -> Void
  ) throws(TraceError) {
    guard carry.count + rest.count <= Self.longestLine else { throw tooLong }
    if carry.isEmpty {
      try body(trimmed(rest), line)
    } else {
      carry.append(contentsOf: rest)
      var failure: TraceError?
      carry.withUnsafeBufferPointer { whole in
        do throws(TraceError) { try body(trimmed(whole), line) } catch { failure = error }
      }
      carry.removeAll(keepingCapacity: true)
      if let failure { throw failure }
    }
    line += 1 + lineEndsInside
    lineEndsInside = 0
  }

  /// Without the carriage return, and the first line without its byte order mark.
  private func trimmed(_ whole: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var slice = whole[...]
    if slice.last == 0x0D { slice = slice.dropLast() }
    if line == 1, slice.count >= 3, slice.starts(with: [0xEF, 0xBB, 0xBF]) {
      slice = slice.dropFirst(3)
    }
    return UnsafeBufferPointer(rebasing: slice)
  }
}
