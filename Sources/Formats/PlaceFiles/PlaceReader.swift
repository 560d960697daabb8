/// Reads places from a file as its bytes arrive, in pieces of any size. The entries are the same
/// however it is cut; what is kept between the pieces is bounded, whatever they contain.
///
/// An entry that is refused costs nothing but itself. When a method throws, the file cannot be read
/// any further: `entries` contains everything before that, and it is for the caller to decide
/// whether to keep it. What is wrong with a whole file, such as a foreign coordinate system, may
/// stand at its end.
public protocol PlaceReader: Sendable {
  /// How much was fed.
  var byteCount: Int { get }
  /// Why a whole file has given no entry.
  var causeOfNothing: String { get }

  /// Appends what ends in this piece.
  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError)

  /// Call at the end of the file: the last entry may end with it, or have been cut off.
  mutating func finish(
    into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError)
}

extension PlaceReader {
  /// Of a whole file that is already in memory.
  public mutating func entries(
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
