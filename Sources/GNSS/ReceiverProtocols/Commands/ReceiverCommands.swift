import Core

/// Every command as bytes for the receivers of one family; nil, or empty, if there is no such
/// command.
public struct ReceiverCommands: Hashable, Sendable {
  let family: ReceiverFamily
  let abilities: ReceiverAbilities

  /// - Parameter version: the version of UBX, if known.
  init(family: ReceiverFamily, version: UBXProtocolVersion? = nil) {
    self.family = family
    abilities = ReceiverAbilities(of: family, version: version)
  }

  // MARK: Sleep

  /// - Parameter duration: the time after which the receiver wakes by itself, if the method has a
  ///   timer. Nil: until woken, or the maximum if the receiver needs an end.
  func sleep(_ method: SleepMethod, for duration: Seconds?) -> [UInt8]? {
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

  /// The actual length of a sleep that is requested for `duration`; nil: until woken.
  func sleepTime(_ method: SleepMethod, for duration: Seconds?) -> Seconds? {
    guard let maxDuration = method.maxDuration else { return nil }
    // M10 ignores a request without end (see `UBXPower.backup16`); CASIC has none.
    let mustEnd = method == .casStandby || family == .ubloxM10
    return method.clamped(duration) ?? (mustEnd ? maxDuration : nil)
  }

  /// Bytes that wake the receiver and have no other effect. Some or all of them may be lost, and so
  /// may everything else that is sent within `SleepMethod.settlesWithin`. Nil if bytes do not wake
  /// it.
  func wake(_ method: SleepMethod) -> [UInt8]? {
    guard abilities.sleepMethods.contains(method) else { return nil }
    switch method {
    // Each byte begins with a falling edge, and is not a preamble.
    case .ubxBackup16, .ubxBackup8: return [UInt8](repeating: 0xff, count: 8)
    case .mtkStandby: return MTKCommand.test
    case .casStandby: return Array("\r\n".utf8)
    case .mtkBackup, .pairSleep: return nil
    }
  }

  /// Enables power saving while fixes are delivered; empty if the family has no such command.
  /// Before M8's protocol version 18 the receiver's own configuration is used.
  func savePower(_ setup: UBXPowerSave) -> [[UInt8]] {
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
  var fullPower: [UInt8]? {
    switch family {
    case .ublox6, .ublox7, .ubloxM8: UBXCommand.savesPower(false)
    case .ubloxM10: UBXPowerSave.fullPower
    case .mediatek: MTKCommand.fullPower
    case .ubloxM9, .ubloxF9, .airoha, .casic, .simcom, .other: nil
    }
  }

  /// Enables the output of signal strengths with every epoch on a UBX receiver, until its next
  /// start; each command is acknowledged. Empty if the family has no such command. A receiver with
  /// NMEA output reports them in GSV by default; both together exceed 9600 baud.
  public var enableSignalReports: [[UInt8]] {
    switch family {
    case .ublox6, .ublox7: [UBXOutput.channels]
    case .ubloxM8: [UBXOutput.satellites]
    case .ubloxM10: [UBXOutput.satellites(on: .uart1)]
    case .ubloxM9, .ubloxF9: [UBXOutput.satellites(on: .uart1), UBXOutput.satellites(on: .usb)]
    case .mediatek, .airoha, .casic, .simcom, .other: []
    }
  }

  // MARK: Restart

  func restart(_ kind: RestartKind) -> [UInt8]? {
    switch family {
    case .ublox6, .ublox7, .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9: UBXCommand.restart(kind)
    case .mediatek: MTKCommand.restart(kind)
    case .airoha: PAIRCommand.restart(kind)
    case .casic: CASCommand.restart(kind)
    case .simcom, .other: nil
    }
  }

  /// Whether each `restart` is answered: by an acknowledgement, or by a message at the start.
  var acknowledgesRestart: Bool { family == .airoha || family == .mediatek }

  /// Stops searching and tracking and keeps all data; the receiver still answers.
  var stopGnss: [UInt8]? {
    if family.speaksUBX { return UBXCommand.stopGnss }
    return family == .airoha ? PAIRCommand.gnssOff : nil
  }

  var startGnss: [UInt8]? {
    if family.speaksUBX { return UBXCommand.startGnss }
    return family == .airoha ? PAIRCommand.gnssOn : nil
  }

  // MARK: Assistance

  /// The host's time and position, to be sent in order when the receiver has woken; empty if the
  /// family accepts neither. Impossible values (a time before 1981, no position on Earth) are left
  /// out.
  ///
  /// - Parameters:
  ///   - time: the time of sending.
  ///   - timeAccuracy: Airoha requires 3 s or better; otherwise the time is left out.
  ///   - positionAccuracy: one standard deviation.
  func assist(
    time: UTCInstant?, accuracy timeAccuracy: Seconds, position: Coordinate?,
    altitude: Metres? = nil, accuracy positionAccuracy: Metres
  ) -> [[UInt8]] {
    guard abilities.acceptsTime else { return [] }
    let time = time.flatMap { GPSTime.week(of: $0) == nil ? nil : $0 }
    let position = position.flatMap {
      Coordinate(checkedLatitude: $0.latitude.value, longitude: $0.longitude.value)
    }
    let altitude = altitude.flatMap { $0.magnitude < 50_000 ? $0 : nil }
    switch family {
    case .ublox6, .ublox7:
      let aiding = UBXInitialAiding(
        time: time, timeAccuracy: timeAccuracy, position: position, altitude: altitude,
        placeAccuracy: positionAccuracy)
      return aiding.map { [$0.frame] } ?? []
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
  /// `ReceiverAnswer.navigationDataBackup`; the supply may be cut only after it. To continue
  /// without a cut, send `startGnss`.
  var saveNavigationData: [[UInt8]] {
    abilities.savesNavigationData ? [UBXCommand.stopGnss, UBXAssistance.saveNavigationData] : []
  }

  /// Queries whether navigation data was restored at the start.
  var pollSavedNavigationData: [UInt8]? {
    abilities.savesNavigationData ? UBXAssistance.pollSavedNavigationData : nil
  }

  /// Erases the saved data in the receiver, so that it is not restored again when it is old.
  var clearSavedNavigationData: [UInt8]? {
    abilities.savesNavigationData ? UBXAssistance.clearSavedNavigationData : nil
  }

  /// Requests the whole navigation database, which arrives as many `ReceiverAnswer.navigationData`.
  var pollNavigationData: [UInt8]? {
    abilities.dumpsNavigationData ? UBXAssistance.pollDatabase : nil
  }

  /// The result of `pollNavigationData`, to be sent to the receiver after the time and the
  /// position.
  func restore(_ data: NavigationDataMessage) -> [UInt8]? {
    abilities.dumpsNavigationData ? data.frame : nil
  }
}

/// The data that a receiver erases at a commanded restart.
public enum RestartKind: String, CaseIterable, Sendable {
  /// Nothing: all data is used.
  case hot
  /// The ephemeris: time, approximate position and almanac are used.
  case warm
  /// Everything about satellites, time and position; for a receiver with wrong data.
  case cold
}
