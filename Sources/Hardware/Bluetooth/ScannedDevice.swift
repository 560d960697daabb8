import RadioSignals
import Core

/// What is said of a device in range (org.bluez.Device1): as much as matters here.
struct ScannedDevice {
  /// More is in no advertisement (Core Specification 5.4, volume 3, part C, section 11).
  private static let longest = 254
  private static let mostEntries = 16

  /// Nil: nothing is said of beacons.
  private(set) var frame: BeaconFrame?
  /// Nil: it is not said.
  private(set) var strength: DecibelMilliwatts?
  /// Whether it was heard at all: what BlueZ remembers of a device says nothing of now.
  private(set) var isHeard = false

  /// - Parameter properties: a message whose next is a dictionary of properties.
  init(_ properties: BusMessage) {
    properties.properties { name in read(name, properties) }
  }

  private mutating func read(_ name: String, _ message: BusMessage) {
    switch name {
    case "RSSI":
      // 127 where it is not known (Core Specification, volume 4, part E, 7.7.65).
      strength = message.integer().map { DecibelMilliwatts(Double($0)) }
      isHeard = true
    case "ManufacturerData":
      isHeard = true
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
      isHeard = true
      message.entries("sv", atMost: Self.mostEntries) {
        guard message.text(atMost: 36) == Self.eddystone else { return }
        let bytes = message.variant { message.bytes(atMost: Self.longest) }
        frame = frame ?? bytes.flatMap { BeaconFrame(serviceData: $0, of: BeaconFrame.eddystone) }
      }
    default: break
    }
  }

  /// The whole form of a UUID of 16 bits (Core Specification, volume 3, part B, 2.5.1).
  private static let eddystone = "0000feaa-0000-1000-8000-00805f9b34fb"
}
