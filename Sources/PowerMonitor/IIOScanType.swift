/// How one value is stored in an IIO buffer: "le:s12/16>>4"
/// (Documentation/ABI/testing/sysfs-bus-iio).
struct IIOScanType: Equatable {
  let isBigEndian: Bool
  let isSigned: Bool
  let bits: Int
  let bytes: Int
  let shift: Int

  /// Nil for any other text, and for values that come several at a time.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "le" || parts[0] == "be", let sign = parts[1].first,
      sign == "s" || sign == "u"
    else { return nil }
    let sizes = parts[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard sizes.count == 2, let mark = sizes[1].firstIndex(of: ">"),
      sizes[1][mark...].hasPrefix(">>"), let bits = Self.number(sizes[0]),
      let storage = Self.number(sizes[1][..<mark]),
      let shift = Self.number(sizes[1][mark...].dropFirst(2)), [8, 16, 32, 64].contains(storage),
      bits > 0, bits + shift <= storage
    else { return nil }
    isBigEndian = parts[0] == "be"
    isSigned = sign == "s"
    self.bits = bits
    bytes = storage / 8
    self.shift = shift
  }

  private static func number(_ digits: Substring) -> Int? {
    guard digits.utf8.count <= 2, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }

  /// - Parameter asSigned: overrides what the driver says.
  func value(_ raw: ArraySlice<UInt8>, asSigned: Bool = false) -> Int64 {
    let ordered = isBigEndian ? Array(raw) : raw.reversed()
    let word = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = UInt64(64 - bits)
    let top = (word >> UInt64(shift)) << unused
    return isSigned || asSigned
      ? Int64(bitPattern: top) >> Int64(unused) : Int64(bitPattern: top >> unused)
  }
}

/// The layout of one record of an IIO buffer: each value at a multiple of its size, in the order of
/// the indices, the whole a multiple of the largest.
struct IIOScanLayout: Equatable {
  struct Element: Equatable {
    let name: String
    let index: Int
    let type: IIOScanType
  }

  private(set) var offsets: [String: Int] = [:]
  private(set) var types: [String: IIOScanType] = [:]
  private(set) var size = 0

  init(_ elements: [Element]) {
    var largest = 1
    for element in elements.sorted(by: { $0.index < $1.index }) {
      let bytes = element.type.bytes
      size = (size + bytes - 1) / bytes * bytes
      offsets[element.name] = size
      types[element.name] = element.type
      size += bytes
      largest = max(largest, bytes)
    }
    size = (size + largest - 1) / largest * largest
  }

  /// Nil when the record has no such value.
  func value(_ name: String, in record: ArraySlice<UInt8>, asSigned: Bool = false) -> Int64? {
    guard let offset = offsets[name], let type = types[name], record.count >= size else {
      return nil
    }
    let start = record.startIndex + offset
    return type.value(record[start..<start + type.bytes], asSigned: asSigned)
  }
}
