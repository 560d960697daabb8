import Core

/// What a Bluetooth beacon says it is. Anybody can say so: a beacon is no proof of a place.
public enum BeaconIdentity: Hashable, Sendable, CustomStringConvertible {
  /// Apple, "Proximity Beacon Specification", R1: an owner's UUID and two numbers of its own.
  case iBeacon(uuid: UniqueID, major: UInt16, minor: UInt16)
  /// Eddystone-UID (google/eddystone, eddystone-uid): 10 bytes of an owner's, and 6.
  case eddystone(EddystoneUID)

  /// As `BeaconRegion` writes it.
  public var description: String {
    switch self {
    case .iBeacon(let uuid, let major, let minor): "ibeacon:\(uuid)/\(major)/\(minor)"
    case .eddystone(let uid): "eddystone:\(uid.namespaceText)/\(uid.instanceText)"
    }
  }
}

/// The 16 bytes that identify an Eddystone beacon.
public struct EddystoneUID: Hashable, Sendable {
  public static let namespaceLength = 10
  public static let instanceLength = 6

  /// 10 bytes.
  public let namespace: [UInt8]
  /// 6 bytes.
  public let instance: [UInt8]

  /// Nil: the lengths are others.
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
