import Quantities

/// Every command as the bytes that receivers of one family understand; nil, or empty, where there
/// is no such command.
public struct ReceiverCommands: Hashable, Sendable {
  public let family: ReceiverFamily
  public let abilities: ReceiverAbilities

  /// - Parameter version: of UBX, if known.
  public init(family: ReceiverFamily, version: UBXProtocolVersion? = nil) {
    self.family = family
    abilities = ReceiverAbilities(of: family, version: version)
  }

  // MARK: Sleep

  /// - Parameter duration: after which the receiver wakes by itself, if the method has a timer. Nil
  ///   means until woken, or as long as the receiver can where it must know an end.
  public func sleep(_ method: SleepMethod, for duration: Seconds?) -> [UInt8]? {
    guard abilities.sleepMethods.contains(method) else { return nil }
    switch method {
    case .ubxBackup16:
      // M10 does not obey a request without end (see `UBXPower.backup16`).
      let end = family == .ubloxM10 ? UBXPower.longest : nil
      return UBXPower.backup16(for: method.clamped(duration) ?? end)
    case .ubxBackup8: return UBXPower.backup8(for: duration)
    case .mtkStandby: return MTKCommand.standby
    case .mtkBackup: return MTKCommand.backup
    case .pairSleep: return PAIRCommand.sleep(for: duration)
    case .casStandby: return CASCommand.standby(for: duration)
    }
  }

  /// Bytes that wake the receiver and mean nothing to it. They may be lost, wholly or in part, and
  /// so may everything else that comes within `SleepMethod.settlesWithin`. Nil when bytes do not
  /// wake it.
  public func wake(_ method: SleepMethod) -> [UInt8]? {
    guard abilities.sleepMethods.contains(method) else { return nil }
    switch method {
    // Each byte begins with a falling edge and is no preamble.
    case .ubxBackup16, .ubxBackup8: return [UInt8](repeating: 0xff, count: 8)
    case .mtkStandby: return MTKCommand.test
    case .casStandby: return Array("\r\n".utf8)
    case .mtkBackup, .pairSleep: return nil
    }
  }

  // MARK: Restart

  public func restart(_ kind: RestartKind) -> [UInt8]? {
    switch family {
    case .ublox6, .ublox7, .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9: UBXCommand.restart(kind)
    case .mediatek: MTKCommand.restart(kind)
    case .airoha: PAIRCommand.restart(kind)
    case .casic: CASCommand.restart(kind)
    case .simcom, .other: nil
    }
  }

  /// Stops searching and tracking without forgetting anything; the receiver still answers.
  public var stopGnss: [UInt8]? {
    if family.speaksUBX { return UBXCommand.stopGnss }
    return family == .airoha ? PAIRCommand.gnssOff : nil
  }

  public var startGnss: [UInt8]? {
    if family.speaksUBX { return UBXCommand.startGnss }
    return family == .airoha ? PAIRCommand.gnssOn : nil
  }

  // MARK: Identity

  /// Queries to send in order, each after the answer to the one before or a little patience.
  public var identify: [[UInt8]] { ReceiverQuery.of(family).map(\.bytes) }

  // MARK: Orbits

  /// In order: stop, then save in the receiver's flash. The answer is
  /// `ReceiverAnswer.orbitBackup`; only after it may the power be cut. To go on without a cut, send
  /// `startGnss`.
  public var saveOrbits: [[UInt8]] {
    abilities.savesOrbits ? [UBXCommand.stopGnss, UBXAssistance.saveOrbits] : []
  }

  /// Asks whether orbits were restored at the start.
  public var pollSavedOrbits: [UInt8]? {
    abilities.savesOrbits ? UBXAssistance.pollSavedOrbits : nil
  }

  /// Makes the receiver forget what it saved, so that it is not restored again when it is old.
  public var clearSavedOrbits: [UInt8]? {
    abilities.savesOrbits ? UBXAssistance.clearSavedOrbits : nil
  }

  /// Asks for all orbits; they come as many `ReceiverAnswer.orbitData`.
  public var pollOrbits: [UInt8]? {
    abilities.dumpsOrbits ? UBXAssistance.pollDatabase : nil
  }

  /// What `pollOrbits` gave, to be sent to the receiver after the time and the place.
  public func restore(_ orbits: OrbitData) -> [UInt8]? {
    abilities.dumpsOrbits ? orbits.frame : nil
  }
}
