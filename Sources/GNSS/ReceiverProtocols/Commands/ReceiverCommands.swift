import Core

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
    case .ubxBackup16: return UBXPower.backup16(for: sleepTime(method, for: duration))
    case .ubxBackup8: return UBXPower.backup8(for: duration)
    case .mtkStandby: return MTKCommand.standby
    case .mtkBackup: return MTKCommand.backup
    case .pairSleep: return PAIRCommand.sleep(for: duration)
    case .casStandby: return CASCommand.standby(for: duration)
    }
  }

  /// How long it really sleeps when it is asked to for `duration`; nil: until woken.
  public func sleepTime(_ method: SleepMethod, for duration: Seconds?) -> Seconds? {
    guard let maxDuration = method.maxDuration else { return nil }
    // M10 does not obey a request without end (see `UBXPower.backup16`); CASIC has none.
    let mustEnd = method == .casStandby || family == .ubloxM10
    return method.clamped(duration) ?? (mustEnd ? maxDuration : nil)
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

  /// Saves power while fixes are delivered; empty where the family cannot be told how. Before M8's
  /// protocol version 18 the receiver's own setup is used.
  public func savePower(_ setup: UBXPowerSave) -> [[UInt8]] {
    switch family {
    case .ublox6, .ublox7: [UBXCommand.savesPower(true)]
    case .ubloxM8:
      abilities.sleepMethods.contains(.ubxBackup16)
        ? [setup.extendedPowerManagement, UBXCommand.savesPower(true)]
        : [UBXCommand.savesPower(true)]
    case .ubloxM10: [setup.values]
    case .ubloxM9, .ubloxF9, .mediatek, .airoha, .casic, .simcom, .other: []
    }
  }

  /// Ends `savePower`.
  public var fullPower: [UInt8]? {
    switch family {
    case .ublox6, .ublox7, .ubloxM8: UBXCommand.savesPower(false)
    case .ubloxM10: UBXPowerSave.fullPower
    case .mediatek: MTKCommand.fullPower
    case .ubloxM9, .ubloxF9, .airoha, .casic, .simcom, .other: nil
    }
  }

  /// Makes a receiver that speaks UBX tell of the satellites' signals with every epoch, until its
  /// next start; each is acknowledged. Empty where the family cannot be told how. A receiver that
  /// speaks NMEA does so by itself, in GSV; both together are too much for 9600 baud.
  public var tellSignals: [[UInt8]] {
    switch family {
    case .ublox6, .ublox7: [UBXOutput.channels]
    case .ubloxM8: [UBXOutput.satellites]
    case .ubloxM10: [UBXOutput.satellites(on: .uart1)]
    case .ubloxM9, .ubloxF9: [UBXOutput.satellites(on: .uart1), UBXOutput.satellites(on: .usb)]
    case .mediatek, .airoha, .casic, .simcom, .other: []
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

  /// Whether each `restart` is answered: acknowledged, or by word of the start.
  public var answersRestart: Bool { family == .airoha || family == .mediatek }

  /// Stops searching and tracking without forgetting anything; the receiver still answers.
  public var stopGnss: [UInt8]? {
    if family.speaksUBX { return UBXCommand.stopGnss }
    return family == .airoha ? PAIRCommand.gnssOff : nil
  }

  public var startGnss: [UInt8]? {
    if family.speaksUBX { return UBXCommand.startGnss }
    return family == .airoha ? PAIRCommand.gnssOn : nil
  }

  // MARK: Assistance

  /// Time and place as the host knows them, to be sent in order when the receiver has woken; empty
  /// where the family takes neither. What cannot be (a time before 1981, no place on Earth) is left
  /// out.
  ///
  /// - Parameters:
  ///   - time: of sending.
  ///   - timeAccuracy: Airoha wants 3 s or better; told only then.
  ///   - positionAccuracy: one standard deviation.
  public func assist(
    time: UTCInstant?, accuracy timeAccuracy: Seconds, position: Coordinate?,
    altitude: Metres? = nil, accuracy positionAccuracy: Metres
  ) -> [[UInt8]] {
    guard abilities.takesTime else { return [] }
    let time = time.flatMap { GPSTime.week(of: $0) == nil ? nil : $0 }
    let position = position.flatMap {
      Coordinate(checkedLatitude: $0.latitude.value, longitude: $0.longitude.value)
    }
    let altitude = altitude.flatMap { $0.magnitude < 50_000 ? $0 : nil }
    switch family {
    case .ublox6, .ublox7:
      let told = UBXInitialAiding(
        time: time, timeAccuracy: timeAccuracy, position: position, altitude: altitude,
        placeAccuracy: positionAccuracy)
      return told.map { [$0.frame] } ?? []
    case .mediatek:
      guard let time else { return [] }
      return [MTKCommand.time(time)]
        + (position.map { [MTKCommand.position($0, altitude: altitude, time: time)] } ?? [])
    case .airoha:
      let isGood = timeAccuracy <= 3
      return (time.flatMap { isGood ? [PAIRCommand.time($0)] : nil } ?? [])
        + (position.map {
          [PAIRCommand.position($0, altitude: altitude, accuracy: positionAccuracy)]
        } ?? [])
    case .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9:
      return (time.map { [UBXAssistance.time($0, accuracy: timeAccuracy)] } ?? [])
        + (position.map {
          [UBXAssistance.position($0, altitude: altitude, accuracy: positionAccuracy)]
        } ?? [])
    case .casic, .simcom, .other: return []
    }
  }

  // MARK: Navigation data

  /// In order: stop, then save in the receiver's flash. The answer is
  /// `ReceiverAnswer.navigationDataBackup`; only after it may the power be cut. To go on without a
  /// cut, send `startGnss`.
  public var saveNavigationData: [[UInt8]] {
    abilities.savesNavigationData ? [UBXCommand.stopGnss, UBXAssistance.saveNavigationData] : []
  }

  /// Asks whether navigation data was restored at the start.
  public var pollSavedNavigationData: [UInt8]? {
    abilities.savesNavigationData ? UBXAssistance.pollSavedNavigationData : nil
  }

  /// Makes the receiver forget what it saved, so that it is not restored again when it is old.
  public var clearSavedNavigationData: [UInt8]? {
    abilities.savesNavigationData ? UBXAssistance.clearSavedNavigationData : nil
  }

  /// Asks for the whole navigation database; it comes as many `ReceiverAnswer.navigationData`.
  public var pollNavigationData: [UInt8]? {
    abilities.dumpsNavigationData ? UBXAssistance.pollDatabase : nil
  }

  /// What `pollNavigationData` gave, to be sent to the receiver after the time and the place.
  public func restore(_ data: NavigationDataMessage) -> [UInt8]? {
    abilities.dumpsNavigationData ? data.frame : nil
  }
}

/// What a receiver forgets when it is told to start again.
public enum RestartKind: String, CaseIterable, Sendable {
  /// Nothing: all that it knows is used.
  case hot
  /// The ephemeris: time, rough position and almanac are used.
  case warm
  /// Everything about satellites, time and place; for a receiver that has gone astray.
  case cold
}
