/// Reads places from a file as its bytes arrive, in pieces of any size. The entries do not depend
/// on the pieces; the memory kept between them is bounded, whatever they contain.
///
/// A refused entry affects only itself. When a method throws, the file cannot be read any further:
/// `entries` contains everything before that, and the caller decides whether to keep it. A fault of
/// the whole file, such as a foreign coordinate system, may be at its end.
public protocol PlaceReader: Sendable {
  /// Number of bytes fed.
  var byteCount: Int { get }
  /// Why a whole file has given no entry.
  var causeOfNothing: String { get }

  /// Appends the entries that end in this piece.
  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError)

  /// Call at the end of the file: the last entry may end there, or be truncated.
  mutating func finish(
    into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError)
}

extension PlaceReader {
  /// The entries of a whole file in memory.
  mutating func entries(
    of bytes: [UInt8]
  ) throws(PlaceFileError) -> [PlaceFileEntry] {
    var entries: [PlaceFileEntry] = []
    var failure: PlaceFileError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(PlaceFileError) {
        try feed(buffer, into: &entries)
        try finish(into: &entries)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return entries
  }
}
