import RadioSignals
import Core

/// The beacons of the laboratory as transmitted.
extension BeaconFrame {
  static func room(_ minor: UInt16) -> BeaconFrame {
    BeaconFrame(
      .iBeacon(uuid: .owner, major: 1, minor: minor), strengthAtOneMetre: -59)
  }

  static let tag = BeaconFrame(
    .eddystone(
      EddystoneUID(namespace: [UInt8](0xe0...0xe9), instance: [0, 0, 0, 0, 0, 7]).unsafelyThere),
    strengthAtOneMetre: -62)
}

extension BeaconRegion {
  static let building = BeaconRegion.iBeacon(uuid: .owner, major: 1, minor: nil)
  static let tags = BeaconRegion.eddystone(namespace: [UInt8](0xe0...0xe9), instance: nil)
}

extension UniqueID {
  fileprivate static let owner = UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0").unsafelyThere
  fileprivate static let stranger = UniqueID("00000000-dffb-48d2-b060-d0f5a71096e0").unsafelyThere
}

extension Optional {
  /// Unwraps a value that is valid as written in the source.
  fileprivate var unsafelyThere: Wrapped {
    guard let self else { preconditionFailure("it is written down wrongly") }
    return self
  }
}

extension VirtualController.Beacon {
  /// The minor is also the device's number.
  static func room(
    _ minor: UInt8, strength: Int8 = -60, period: Double = 1
  ) -> VirtualController.Beacon {
    VirtualController.Beacon(
      number: minor, data: BeaconFrame.room(UInt16(minor)).advertisingData.bytes, period: period,
      strength: strength)
  }

  static let tag = VirtualController.Beacon(
    number: 100, data: BeaconFrame.tag.advertisingData.bytes, strength: -70)

  static let stranger = VirtualController.Beacon(
    number: 101,
    data: BeaconFrame(
      .iBeacon(uuid: .stranger, major: 1, minor: 1), strengthAtOneMetre: -59
    ).advertisingData.bytes)
}
