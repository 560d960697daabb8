/// The data of an advertisement as it is on air: structures of length, type and content (Bluetooth
/// Core Specification 5.4, volume 3, part C, section 11).
///
/// BlueZ takes it apart for this program. Whole it is needed by the tests, which compare frames
/// with what is on air byte for byte, and by the kernel laboratory, whose beacons send it.
public struct AdvertisingData: Equatable, Sendable {
  /// One structure. (Core Specification Supplement, part A, section 1; assigned numbers, 2.3)
  public struct Element: Equatable, Sendable {
    public static let flags: UInt8 = 0x01
    /// The first two bytes are the UUID, the low one first.
    public static let serviceData: UInt8 = 0x16
    /// The first two bytes are the company, the low one first.
    public static let manufacturerData: UInt8 = 0xff

    public let type: UInt8
    public let content: [UInt8]

    public init(_ type: UInt8, _ content: [UInt8]) {
      self.type = type
      self.content = content
    }
  }

  public var elements: [Element]

  public init(_ elements: [Element]) { self.elements = elements }

  /// Takes what is whole: a structure that says it is longer than what is left ends it, as does one
  /// without a type (the zeros that fill up an advertisement).
  public init(parsing bytes: [UInt8]) {
    elements = []
    var rest = bytes[...]
    while let length = rest.first, length > 0, rest.count > Int(length) {
      let element = rest.dropFirst().prefix(Int(length))
      elements.append(Element(element[element.startIndex], Array(element.dropFirst())))
      rest = rest.dropFirst(Int(length) + 1)
    }
  }

  /// A content of more than 254 bytes is cut: no length says more.
  public var bytes: [UInt8] {
    elements.flatMap { element in
      let content = element.content.prefix(254)
      return [UInt8(content.count + 1), element.type] + content
    }
  }
}
