/// The data of an advertisement as transmitted: structures of length, type and content (Bluetooth
/// Core Specification 5.4, volume 3, part C, section 11).
///
/// BlueZ parses it for this program. The raw form is needed by the tests, which compare frames with
/// the transmitted bytes, and by the kernel laboratory, whose beacons send it.
public struct AdvertisingData: Equatable, Sendable {
  /// One structure. (Core Specification Supplement, part A, section 1; assigned numbers, 2.3)
  struct Element: Equatable, Sendable {
    static let flags: UInt8 = 0x01
    /// The content begins with the UUID in two bytes, little-endian.
    static let serviceData: UInt8 = 0x16
    /// The content begins with the company in two bytes, little-endian.
    static let manufacturerData: UInt8 = 0xff

    let type: UInt8
    let content: [UInt8]

    init(_ type: UInt8, _ content: [UInt8]) {
      self.type = type
      self.content = content
    }
  }

  var elements: [Element]

  init(_ elements: [Element]) { self.elements = elements }

  /// Parses complete structures. A structure that exceeds the remaining bytes ends the data, as
  /// does one without a type (the zeros that pad an advertisement).
  public init(parsing bytes: [UInt8]) {
    elements = []
    var rest = bytes[...]
    while let length = rest.first, length > 0, rest.count > Int(length) {
      let element = rest.dropFirst().prefix(Int(length))
      elements.append(Element(element[element.startIndex], Array(element.dropFirst())))
      rest = rest.dropFirst(Int(length) + 1)
    }
  }

  /// Contents of more than 254 bytes are truncated: the length field allows no more.
  public var bytes: [UInt8] {
    elements.flatMap { element in
      let content = element.content.prefix(254)
      return [UInt8(content.count + 1), element.type] + content
    }
  }
}
