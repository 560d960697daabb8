/// Receivers with the same command set: of one chip generation, or of one command language.
///
/// The raw value is that of the setting `receiver.family`.
public enum ReceiverFamily: String, CaseIterable, Sendable {
  /// UBX of protocol versions below 14: NEO-6M, LEA-6.
  case ublox6
  /// UBX, protocol version 14: NEO-7, MAX-7.
  case ublox7
  /// UBX, protocol versions 15 to 23: NEO-M8, MAX-M8, SAM-M8Q, ZOE-M8.
  case ubloxM8
  /// UBX, protocol version 32: NEO-M9N.
  case ubloxM9
  /// UBX, protocol versions from 34: MAX-M10, SAM-M10Q, MIA-M10; F10 has the same protocol.
  case ubloxM10
  /// UBX, protocol versions 27 to 33, high precision: ZED-F9.
  case ubloxF9
  /// PMTK sentences, MediaTek MT33x9 and MT3333: PA6H, PA1010D, Quectel L70, L76, L80, L86.
  case mediatek
  /// PAIR sentences, Airoha AG33xx: Quectel LC29H, LC76G, LC86G.
  case airoha
  /// PCAS sentences, Zhongkewei AT6558: ATGM336H, Quectel L76K.
  case casic
  /// The receiver inside a SIMCom modem, which is commanded through the modem and not on its own
  /// line.
  case simcom
  /// NMEA output, with an unknown command set.
  case other

  /// Whether its commands are UBX.
  public var speaksUBX: Bool {
    switch self {
    case .ublox6, .ublox7, .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9: true
    case .mediatek, .airoha, .casic, .simcom, .other: false
    }
  }
}

/// The commands that receivers of a family support. If only some members support a command, it is
/// included: the others reject it.
public struct ReceiverAbilities: Hashable, Sendable {
  /// In the order of attempts: the shallowest first, which is the easiest to end.
  public var sleepMethods: [SleepMethod] = []
  var restarts: [RestartKind] = []
  /// It saves its navigation data in its own flash before a power cut and restores it afterwards.
  public var savesNavigationData = false
  /// It sends its navigation data to the host, which can send it back after a power cut.
  public var dumpsNavigationData = false
  /// It accepts the time.
  public var acceptsTime = false
  /// It accepts its position.
  public var acceptsPosition = false
  /// It can stop searching and tracking, and resume, without loss of data.
  var stopsGnss = false

  /// - Parameter version: the version of UBX; nil counts as the family's newest.
  public init(of family: ReceiverFamily, version: UBXProtocolVersion? = nil) {
    switch family {
    case .ublox6, .ublox7:
      sleepMethods = [.ubxBackup8]
    case .ubloxM8:
      // Before 18.00 the form of 16 bytes does not exist.
      let hasLongForm = version.map { $0 >= UBXProtocolVersion(18) } ?? true
      sleepMethods = hasLongForm ? [.ubxBackup16, .ubxBackup8] : [.ubxBackup8]
      savesNavigationData = true
    case .ubloxM9, .ubloxF9:
      sleepMethods = [.ubxBackup16, .ubxBackup8]
      savesNavigationData = true
    case .ubloxM10:
      // No M10 module has flash for saving.
      sleepMethods = [.ubxBackup16]
    case .mediatek: sleepMethods = [.mtkStandby, .mtkBackup]
    case .airoha: sleepMethods = [.pairSleep]
    case .casic: sleepMethods = [.casStandby]
    case .simcom, .other: return
    }
    restarts = RestartKind.allCases
    stopsGnss = family.speaksUBX || family == .airoha
    dumpsNavigationData = family.speaksUBX && family != .ublox6 && family != .ublox7
    acceptsTime = family != .casic
    acceptsPosition = family != .casic
  }

  /// The sleep methods that the host can end at any time.
  ///
  /// - Parameter hasWakeLine: whether EXTINT, FORCE_ON or WAKEUP is wired to the host.
  public func sleepMethods(hasWakeLine: Bool) -> [SleepMethod] {
    let ends: WakeSources = hasWakeLine ? [.bytes, .line] : [.bytes]
    return sleepMethods.filter { !$0.wakes.isDisjoint(with: ends) }
  }
}
