/// Reads places that are separate elements of an XML document.
protocol XMLPlaceReader: PlaceReader {
  /// The format's word for such an element.
  static var noun: String { get }

  var defaults: PlaceFileDefaults { get }
  var scanner: XMLItemScanner { get set }
  /// Number of the elements read.
  var count: Int { get set }

  static func draft(of item: XMLItemScanner.Item) -> PlaceDraft
}

extension XMLPlaceReader {
  var byteCount: Int { scanner.byteCount }

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError) {
    scanner.append(bytes)
    while let item = try scanner.next() {
      count += 1
      entries.append(Self.draft(of: item).entry(Self.noun, count, defaults))
    }
  }

  mutating func finish(
    into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError) {
    try scanner.finish()
  }
}
