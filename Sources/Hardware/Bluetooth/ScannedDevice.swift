import RadioSignals
import Core

/// The relevant properties of a device in range (org.bluez.Device1).
struct ScannedDevice {
  /// No advertisement has more (Core Specification 5.4, volume 3, part C, section 11).
  private static let longest = 254
  private static let mostEntries = 16

  /// Nil: no beacon data reported.
  private(set) var frame: BeaconFrame?
  /// Nil: not reported.
  private(set) var strength: DecibelMilliwatts?
  /// Whether it was received at all: what BlueZ remembers of a device is not a reception now.
  private(set) var isReceived = false

  /// - Parameter properties: a message positioned at a dictionary of properties.
  init(_ properties: BusMessage) {
    properties.properties { name in read(name, properties) }
  }

  private mutating func read(_ name: String, _ message: BusMessage) {
    switch name {
    case "RSSI":
      // 127 where it is unknown (Core Specification, volume 4, part E, 7.7.65).
      strength = message.integer().map { DecibelMilliwatts(Double($0)) }
      isReceived = true
    case "ManufacturerData":
      isReceived = true
      message.entries("qv", atMost: Self.mostEntries) {
        guard let company = message.integer() else { return }
        let bytes = message.variant { message.bytes(atMost: Self.longest) }
        frame =
          frame
          ?? bytes.flatMap {
            BeaconFrame(manufacturerData: $0, of: UInt16(truncatingIfNeeded: company))
          }
      }
    case "ServiceData":
      isReceived = true
      message.entries("sv", atMost: Self.mostEntries) {
        guard message.text(atMost: 36) == Self.eddystone else { return }
        let bytes = message.variant { message.bytes(atMost: Self.longest) }
        frame = frame ?? bytes.flatMap { BeaconFrame(serviceData: $0, of: BeaconFrame.eddystone) }
      }
    default: break
    }
  }

  /// The full form of a 16-bit UUID (Core Specification, volume 3, part B, 2.5.1).
  private static let eddystone = "0000feaa-0000-1000-8000-00805f9b34fb"
}
