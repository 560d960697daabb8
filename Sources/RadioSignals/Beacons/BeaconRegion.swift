import Core

/// The beacons of one place: all of an owner, or some of them.
public enum BeaconRegion: Hashable, Sendable, CustomStringConvertible {
  /// Nil: any value. (LYU1402, 5.4: "major of beacon to be monitored (optional)", -1 as wildcard.)
  case iBeacon(uuid: UniqueID, major: UInt16?, minor: UInt16?)
  /// A namespace of 10 bytes and an instance of 6; nil: any instance.
  case eddystone(namespace: [UInt8], instance: [UInt8]?)

  public func contains(_ beacon: BeaconIdentity) -> Bool {
    switch (self, beacon) {
    case (.iBeacon(let uuid, let major, let minor), .iBeacon(let its, let first, let second)):
      uuid == its && major ?? first == first && minor ?? second == second
    case (.eddystone(let namespace, let instance), .eddystone(let uid)):
      namespace == uid.namespace && instance ?? uid.instance == uid.instance
    default: false
    }
  }

  /// Every possible region that contains a beacon.
  static func all(of beacon: BeaconIdentity) -> [BeaconRegion] {
    switch beacon {
    case .iBeacon(let uuid, let major, let minor):
      [
        .iBeacon(uuid: uuid, major: major, minor: minor),
        .iBeacon(uuid: uuid, major: major, minor: nil),
        .iBeacon(uuid: uuid, major: nil, minor: minor),
        .iBeacon(uuid: uuid, major: nil, minor: nil),
      ]
    case .eddystone(let uid):
      [
        .eddystone(namespace: uid.namespace, instance: uid.instance),
        .eddystone(namespace: uid.namespace, instance: nil),
      ]
    }
  }

  /// `ibeacon:UUID/MAJOR/MINOR` or `eddystone:NAMESPACE/INSTANCE`, `*` for any.
  public var description: String {
    switch self {
    case .iBeacon(let uuid, let major, let minor):
      "ibeacon:\(uuid)/\(Self.text(major))/\(Self.text(minor))"
    case .eddystone(let namespace, let instance):
      "eddystone:\(Hexadecimal.text(namespace))/\(instance.map { Hexadecimal.text($0) } ?? "*")"
    }
  }

  private static func text(_ number: UInt16?) -> String { number.map { "\($0)" } ?? "*" }

  /// Parses the form of `description`. Parts that are left out at the end match any value.
  public init(_ text: String) throws(BeaconTextError) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { throw BeaconTextError(text, Self.form) }
    let parts = halves[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    switch halves[0].lowercased() {
    case "ibeacon": self = try Self.iBeacon(parts, text)
    case "eddystone": self = try Self.eddystone(parts, text)
    default: throw BeaconTextError(text, Self.form)
    }
  }

  private static let form =
    "write ibeacon:UUID/MAJOR/MINOR or eddystone:NAMESPACE/INSTANCE, with * for any number"

  private static func iBeacon(
    _ parts: [String], _ text: String
  ) throws(BeaconTextError) -> BeaconRegion {
    guard (1...3).contains(parts.count) else { throw BeaconTextError(text, form) }
    guard let uuid = UniqueID(parts[0]) else {
      throw BeaconTextError(
        text, "\"\(parts[0])\" is not a UUID: write it as e2c56db5-dffb-48d2-b060-d0f5a71096e0")
    }
    return .iBeacon(
      uuid: uuid, major: try number(parts, 1, "major", text),
      minor: try number(parts, 2, "minor", text))
  }

  private static func number(
    _ parts: [String], _ index: Int, _ name: String, _ text: String
  ) throws(BeaconTextError) -> UInt16? {
    guard index < parts.count, parts[index] != "*" else { return nil }
    guard parts[index].allSatisfy(\.isNumber), let number = UInt16(parts[index]) else {
      throw BeaconTextError(
        text, "\"\(parts[index])\" is not a valid \(name): write 0 to 65535, or * for any")
    }
    return number
  }

  private static func eddystone(
    _ parts: [String], _ text: String
  ) throws(BeaconTextError) -> BeaconRegion {
    guard (1...2).contains(parts.count) else { throw BeaconTextError(text, form) }
    let namespace = try bytes(parts[0], EddystoneUID.namespaceLength, "namespace", text)
    guard parts.count == 2, parts[1] != "*" else {
      return .eddystone(namespace: namespace, instance: nil)
    }
    return .eddystone(
      namespace: namespace,
      instance: try bytes(parts[1], EddystoneUID.instanceLength, "instance", text))
  }

  private static func bytes(
    _ digits: String, _ length: Int, _ name: String, _ text: String
  ) throws(BeaconTextError) -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(digits), bytes.count == length else {
      throw BeaconTextError(
        text, "\"\(digits)\" is not a valid \(name): write \(2 * length) hexadecimal digits")
    }
    return bytes
  }
}

/// Why a text does not specify beacons.
public struct BeaconTextError: Error, Equatable, Sendable {
  /// The fault, and what to write instead.
  public let message: String

  init(_ text: String, _ advice: String) {
    message = "\(TerminalText.line(String(text.prefix(100)))) is not a beacon: \(advice)"
  }
}
