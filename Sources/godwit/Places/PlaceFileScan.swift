import Formats
import Platform

/// Reads a file of places piece by piece, in any format.
struct PlaceFileScan {
  let path: String
  let defaults: PlaceFileDefaults

  /// The number of places passed on at a time.
  private static let batch = 1000

  /// - Parameters:
  ///   - progress: called with the number of bytes read.
  ///   - body: called with the entries found, in order, and the format.
  func read(
    progress: (_ bytes: Int) -> Void = { _ in },
    _ body: ([PlaceFileEntry], PlaceFileFormat) throws -> Void
  ) throws {
    let input = try InputBytes(
      path: path, advice: "specify the path of a file of places, or - for standard input")
    var found: (format: PlaceFileFormat, reader: any PlaceReader)?
    var entries: [PlaceFileEntry] = []
    var isEmpty = true
    func flush(beyond limit: Int) throws {
      guard let found, entries.count > limit else { return }
      isEmpty = false
      try body(entries, found.format)
      entries.removeAll(keepingCapacity: true)
    }
    while let piece = try input.next() {
      let bytes = piece.bindMemory(to: UInt8.self)
      if found == nil {
        let format = try format(of: bytes)
        found = (format, format.reader(defaults))
      }
      try found?.reader.feed(bytes, into: &entries)
      try flush(beyond: Self.batch)
      progress(found?.reader.byteCount ?? 0)
    }
    guard found != nil else { throw CommandError.failed("\(path) is empty") }
    try found?.reader.finish(into: &entries)
    try flush(beyond: 0)
    if isEmpty, let found { throw PlaceFileError(found.reader.causeOfNothing) }
  }

  private func format(of bytes: UnsafeBufferPointer<UInt8>) throws -> PlaceFileFormat {
    let head = Array(bytes.prefix(4096))
    guard let format = try PlaceFileFormat.detect(head: head, fileName: path) else {
      throw CommandError.failed(
        "\(path) is not a known file of places: use GeoJSON, GPX, KML or "
          + "OwnTracks' waypoints")
    }
    return format
  }
}
