import Core

/// A beacon's advertisement: its identity, and its signal strength at 1 m.
public struct BeaconFrame: Hashable, Sendable {
  /// Apple's company identifier (Bluetooth assigned numbers, 7.1).
  public static let apple: UInt16 = 0x004c
  /// The 16-bit UUID of Eddystone's service (assigned numbers, 3.10).
  public static let eddystone: UInt16 = 0xfeaa
  /// The difference between the signal strengths at 0 m, which Eddystone sends, and at 1 m:
  /// "subtract 41 dBm" (eddystone-uid, Tx Power).
  private static let firstMetre: DecibelMilliwatts = 41

  public let beacon: BeaconIdentity
  /// A whole number, -128...127, or 41 less for Eddystone.
  public let strengthAtOneMetre: DecibelMilliwatts

  public init(_ beacon: BeaconIdentity, strengthAtOneMetre: DecibelMilliwatts) {
    self.beacon = beacon
    self.strengthAtOneMetre = strengthAtOneMetre
  }

  // MARK: Decoding

  /// The first beacon frame among the structures; nil: there is none. (`AdvertisingData` explains
  /// the use of this and its counterpart.)
  public init?(_ data: AdvertisingData) {
    for element in data.elements where element.content.count > 2 {
      let number = UInt16(element.content[0]) | UInt16(element.content[1]) << 8
      let content = Array(element.content.dropFirst(2))
      let frame: BeaconFrame? =
        switch element.type {
        case AdvertisingData.Element.manufacturerData:
          BeaconFrame(manufacturerData: content, of: number)
        case AdvertisingData.Element.serviceData: BeaconFrame(serviceData: content, of: number)
        default: nil
        }
      if let frame {
        self = frame
        return
      }
    }
    return nil
  }

  /// The data from BlueZ, without the company: type 2, length 21, then UUID, major, minor and the
  /// power measured at 1 m (Proximity Beacon Specification, 1.3).
  public init?(manufacturerData bytes: [UInt8], of company: UInt16) {
    guard company == Self.apple, bytes.count == 23, bytes[0] == 0x02, bytes[1] == 0x15,
      let uuid = UniqueID(bytes: bytes[2..<18])
    else { return nil }
    self.init(
      .iBeacon(
        uuid: uuid, major: UInt16(bytes[18]) << 8 | UInt16(bytes[19]),
        minor: UInt16(bytes[20]) << 8 | UInt16(bytes[21])),
      strengthAtOneMetre: DecibelMilliwatts(Double(Int8(bitPattern: bytes[22]))))
  }

  /// Without the service's UUID: type 0, power at 0 m, namespace, instance, and two reserved bytes,
  /// which some beacons leave out.
  public init?(serviceData bytes: [UInt8], of service: UInt16) {
    guard service == Self.eddystone, [18, 20].contains(bytes.count), bytes[0] == 0x00,
      let uid = EddystoneUID(
        namespace: Array(bytes[2..<12]), instance: Array(bytes[12..<18]))
    else { return nil }
    let power = DecibelMilliwatts(Double(Int8(bitPattern: bytes[1])))
    self.init(.eddystone(uid), strengthAtOneMetre: power - Self.firstMetre)
  }

  // MARK: Encoding

  /// The transmitted data: flags (general discoverable, no classic Bluetooth), and the frame.
  public var advertisingData: AdvertisingData {
    let flags = AdvertisingData.Element(AdvertisingData.Element.flags, [0x06])
    switch beacon {
    case .iBeacon(let uuid, let major, let minor):
      let content =
        [0x4c, 0x00, 0x02, 0x15] + uuid.bytes + Self.bytes(major) + Self.bytes(minor)
        + [Self.byte(strengthAtOneMetre)]
      return AdvertisingData([
        flags, AdvertisingData.Element(AdvertisingData.Element.manufacturerData, content),
      ])
    case .eddystone(let uid):
      let content =
        [0xaa, 0xfe, 0x00, Self.byte(strengthAtOneMetre + Self.firstMetre)] + uid.namespace
        + uid.instance + [0, 0]
      return AdvertisingData([
        flags, AdvertisingData.Element(0x03, [0xaa, 0xfe]),
        AdvertisingData.Element(AdvertisingData.Element.serviceData, content),
      ])
    }
  }

  private static func bytes(_ number: UInt16) -> [UInt8] {
    [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  private static func byte(_ strength: DecibelMilliwatts) -> UInt8 {
    UInt8(bitPattern: Int8(max(-128, min(127, strength.value.rounded()))))
  }
}
