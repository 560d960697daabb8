import Formats
import Places
import Core
import TestSupport

/// The full result of reading.
struct PlaceFileRun: Equatable {
  static let defaults = PlaceFileDefaults(owner: "ana", radius: 50)

  var entries: [PlaceFileEntry] = []
  var failure: PlaceFileError?

  init(
    _ bytes: [UInt8], as format: PlaceFileFormat, piece: Int = .max,
    _ defaults: PlaceFileDefaults = Self.defaults
  ) {
    var reader = format.reader(defaults)
    do throws(PlaceFileError) {
      var start = 0
      while start < bytes.count {
        let end = start + min(piece, bytes.count - start)
        try Self.feed(bytes[start..<end], to: &reader, into: &entries)
        start = end
      }
      try reader.finish(into: &entries)
    } catch { failure = error }
  }

  init(_ text: String, as format: PlaceFileFormat) {
    self.init(Array(text.utf8), as: format)
  }

  private static func feed(
    _ bytes: ArraySlice<UInt8>, to reader: inout any PlaceReader,
    into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError) {
    var failure: PlaceFileError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(PlaceFileError) {
        try reader.feed(buffer, into: &entries)
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  var places: [Place] { entries.compactMap(\.place) }
  var notices: [String] { entries.flatMap(\.notices) }
  /// Each refusal, and the reason why reading ended.
  var errors: [String] {
    entries.compactMap(\.error).map(\.description) + [failure].compactMap { $0?.description }
  }

  static func text(_ places: [Place], as format: PlaceFileFormat) -> [UInt8] {
    var writer = format.writer()
    for place in places { _ = writer.place(place) }
    writer.finish()
    return writer.output
  }
}
