import FuzzInput
import Formats
import Places

/// A file of places: GeoJSON, OwnTracks, GPX or KML. The last byte determines how it is
/// split, and its format if the content shows none.
public final class PlacesTarget: FuzzTarget {
  private struct Reading: Equatable {
    var entries: [PlaceFileEntry] = []
    var failure: PlaceFileError?

    var places: [Place] { entries.compactMap(\.place) }
  }

  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    guard let last = input.last else { return }
    let bytes = UnsafeBufferPointer(rebasing: input.dropLast())
    let formats = PlaceFileFormat.allCases
    let format = Self.detected(Array(bytes.prefix(4096))) ?? formats[Int(last) % formats.count]

    let whole = Self.read(bytes, as: format, piece: bytes.count)
    let cut = Self.read(bytes, as: format, piece: 1 + Int(last & 63))
    try require(cut == whole, "a cut file gives something else: \(cut) not \(whole)")
    try require(whole.entries.count <= bytes.count, "more entries than bytes")
    for error in whole.entries.compactMap(\.error) + [whole.failure].compactMap({ $0 }) {
      try require(!error.reason.isEmpty, "an error without a reason")
    }
    let places = whole.places
    guard !places.isEmpty else { return }
    try requireStable(places)
    for format in formats {
      let written = Self.text(places, as: format)
      let failure = Self.read(written, as: format).failure
      try require(failure == nil, "\(format) cannot be read: \(failure as Any)")
    }
  }

  private static func detected(_ head: [UInt8]) -> PlaceFileFormat? {
    do throws(PlaceFileError) { return try PlaceFileFormat.detect(head: head) } catch { return nil }
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, as format: PlaceFileFormat, piece: Int
  ) -> Reading {
    var reader = format.reader(PlaceFileDefaults(owner: "ana", radius: 50))
    var reading = Reading()
    do throws(PlaceFileError) {
      var index = 0
      while index < bytes.count {
        let end = min(index + piece, bytes.count)
        try reader.feed(
          UnsafeBufferPointer(rebasing: bytes[index..<end]), into: &reading.entries)
        index = end
      }
      try reader.finish(into: &reading.entries)
    } catch { reading.failure = error }
    return reading
  }

  private static func read(_ text: [UInt8], as format: PlaceFileFormat) -> Reading {
    text.withUnsafeBufferPointer { read($0, as: format, piece: max(1, text.count)) }
  }

  private static func text(_ places: [Place], as format: PlaceFileFormat) -> [UInt8] {
    var writer = format.writer()
    for place in places { _ = writer.place(place) }
    writer.finish()
    return writer.output
  }

  /// GeoJSON preserves everything.
  private func requireStable(_ places: [Place]) throws(Violation) {
    let text = Self.text(places, as: .geojson)
    let again = Self.read(text, as: .geojson)
    let words = String(decoding: text, as: UTF8.self)
    try require(again.places.count == places.count, "\(again) of \(words)")
    let second = Self.text(again.places, as: .geojson)
    try require(
      second == text, "\(words) becomes \(String(decoding: second, as: UTF8.self))")
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = PlacesTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
