import Core

/// The identity that a Bluetooth beacon claims. It is not authenticated: a beacon does not prove a
/// place.
public enum BeaconIdentity: Hashable, Sendable, CustomStringConvertible {
  /// Apple, "Proximity Beacon Specification", R1: an owner's UUID and two numbers of its own.
  case iBeacon(uuid: UniqueID, major: UInt16, minor: UInt16)
  /// Eddystone-UID (google/eddystone, eddystone-uid): 10 bytes for the owner, and 6 for the beacon.
  case eddystone(EddystoneUID)

  /// The text form of `BeaconRegion`.
  public var description: String {
    switch self {
    case .iBeacon(let uuid, let major, let minor): "ibeacon:\(uuid)/\(major)/\(minor)"
    case .eddystone(let uid): "eddystone:\(uid.namespaceText)/\(uid.instanceText)"
    }
  }
}

/// The 16 bytes that identify an Eddystone beacon.
public struct EddystoneUID: Hashable, Sendable {
  static let namespaceLength = 10
  static let instanceLength = 6

  /// 10 bytes.
  let namespace: [UInt8]
  /// 6 bytes.
  let instance: [UInt8]

  /// Nil if the lengths are wrong.
  public init?(namespace: [UInt8], instance: [UInt8]) {
    guard namespace.count == Self.namespaceLength, instance.count == Self.instanceLength else {
      return nil
    }
    self.namespace = namespace
    self.instance = instance
  }

  var namespaceText: String { Hexadecimal.text(namespace) }
  var instanceText: String { Hexadecimal.text(instance) }
}
