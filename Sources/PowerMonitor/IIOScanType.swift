/// How one value lies in an IIO buffer: "le:s12/16>>4" (Documentation/ABI/testing/sysfs-bus-iio).
struct IIOScanType: Equatable {
  let isBigEndian: Bool
  let isSigned: Bool
  let bits: Int
  let bytes: Int
  let shift: Int

  /// Nil for what is no such text, and for values that come several at a time.
  init?(_ text: String) {
    guard
      let match = text.wholeMatch(of: /(le|be):([su])([0-9]{1,2})\/(8|16|32|64)>>([0-9]{1,2})/),
      let bits = Int(match.3), let storage = Int(match.4), let shift = Int(match.5), bits > 0,
      bits + shift <= storage
    else { return nil }
    isBigEndian = match.1 == "be"
    isSigned = match.2 == "s"
    self.bits = bits
    bytes = storage / 8
    self.shift = shift
  }

  /// - Parameter asSigned: stronger than what the driver says.
  func value(_ raw: ArraySlice<UInt8>, asSigned: Bool = false) -> Int64 {
    let ordered = isBigEndian ? Array(raw) : raw.reversed()
    let word = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = UInt64(64 - bits)
    let top = (word >> UInt64(shift)) << unused
    return isSigned || asSigned
      ? Int64(bitPattern: top) >> Int64(unused) : Int64(bitPattern: top >> unused)
  }
}

/// What lies where in one record of an IIO buffer: each value at a multiple of its size, in the
/// order of the indices, the whole a multiple of the largest.
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
