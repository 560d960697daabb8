import PlaceFiles
import Platform

/// Reads a file of places piece by piece, whatever its format.
struct PlaceFileScan {
  let path: String
  let defaults: PlaceFileDefaults

  /// So many are handed over at a time.
  private static let batch = 1000

  /// - Parameters:
  ///   - progress: called with how much was read.
  ///   - body: called with what was found, in its order.
  func read(
    progress: (_ bytes: Int) -> Void = { _ in }, _ body: ([PlaceFileEntry]) throws -> Void
  ) throws {
    let input = try InputBytes(
      path: path, advice: "give the path of a file of places, or - for standard input")
    var reader: (any PlaceReader)?
    var entries: [PlaceFileEntry] = []
    var isEmpty = true
    func flush(beyond limit: Int) throws {
      guard entries.count > limit else { return }
      isEmpty = false
      try body(entries)
      entries.removeAll(keepingCapacity: true)
    }
    while let piece = try input.next() {
      let bytes = piece.bindMemory(to: UInt8.self)
      if reader == nil { reader = try self.reader(for: bytes) }
      try reader?.feed(bytes, into: &entries)
      try flush(beyond: Self.batch)
      progress(reader?.byteCount ?? 0)
    }
    guard var reader else { throw CommandError.failed("\(path) is empty") }
    try reader.finish(into: &entries)
    try flush(beyond: 0)
    if isEmpty { throw PlaceFileError(reader.causeOfNothing) }
  }

  private func reader(for bytes: UnsafeBufferPointer<UInt8>) throws -> any PlaceReader {
    let head = Array(bytes.prefix(4096))
    guard let format = try PlaceFileFormat.detect(head: head, fileName: path) else {
      throw CommandError.failed(
        "\(path) is no file of places that is known: it should be GeoJSON, GPX, KML or "
          + "OwnTracks' waypoints")
    }
    return format.reader(defaults)
  }
}
