import Core

/// Reads places that are items of a list in a JSON text, or separate texts.
protocol JSONPlaceReader: PlaceReader {
  /// The format's word for such an item.
  static var noun: String { get }

  var scanner: JSONItemScanner { get set }
  /// Number of the items read.
  var count: Int { get }

  mutating func read(
    _ piece: JSONItemScanner.Piece, into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError)
}

extension JSONPlaceReader {
  var byteCount: Int { scanner.byteCount }
  var causeOfNothing: String { "it has no \(Self.noun)" }

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError) {
    scanner.append(bytes)
    while let piece = try next() { try read(piece, into: &entries) }
    try PlaceFileError.check(gapFrom: scanner.pieceEnd, to: scanner.offset)
  }

  private mutating func next() throws(PlaceFileError) -> JSONItemScanner.Piece? {
    do throws(JSONError) { return try scanner.next() } catch { throw PlaceFileError("\(error)") }
  }

  mutating func finish(
    into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError) {
    if let piece = scanner.last() { try read(piece, into: &entries) }
    guard scanner.hasText else { throw PlaceFileError("it contains only white space") }
    guard scanner.isBetweenTexts else {
      throw PlaceFileError(
        "the file ends in the middle of \(Self.noun) \(count + 1), or behind the last one: is it "
          + "complete?")
    }
  }
}
