/// Receivers that are spoken to alike: of one chip generation, or of one command language.
///
/// The raw value is what the setting `receiver.family` takes.
public enum ReceiverFamily: String, CaseIterable, Sendable {
  /// UBX of protocol versions below 14: NEO-6M, LEA-6.
  case ublox6
  /// UBX, protocol version 14: NEO-7, MAX-7.
  case ublox7
  /// UBX, protocol versions 15 to 23: NEO-M8, MAX-M8, SAM-M8Q, ZOE-M8.
  case ubloxM8
  /// UBX, protocol version 32: NEO-M9N.
  case ubloxM9
  /// UBX, protocol versions from 34: MAX-M10, SAM-M10Q, MIA-M10; F10 speaks the same.
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
  /// Speaks NMEA; how to command it is not known.
  case other

  /// Whether it is commanded in UBX.
  public var speaksUBX: Bool {
    switch self {
    case .ublox6, .ublox7, .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9: true
    case .mediatek, .airoha, .casic, .simcom, .other: false
    }
  }
}

/// What receivers of a family can do when they are told to. Where a family has members that can and
/// members that cannot, this says that it can: the receiver itself refuses, and says so.
public struct ReceiverAbilities: Hashable, Sendable {
  /// In the order in which to try them: the gentlest first, which ends most easily.
  public var sleepMethods: [SleepMethod] = []
  public var restarts: [RestartKind] = []
  /// Saves its navigation data in its own flash before a power cut and restores it after it.
  public var savesNavigationData = false
  /// Hands its navigation data to the host, which can give it back after a power cut.
  public var dumpsNavigationData = false
  /// Can be told the time.
  public var takesTime = false
  /// Can be told where it is.
  public var takesPosition = false
  /// Can be told to stop searching and tracking, and to go on, without forgetting anything.
  public var stopsGnss = false

  /// - Parameter version: of UBX; nil counts as the family's newest.
  public init(of family: ReceiverFamily, version: UBXProtocolVersion? = nil) {
    switch family {
    case .ublox6, .ublox7:
      sleepMethods = [.ubxBackup8]
    case .ubloxM8:
      // Before 18.00 there is no form of 16 bytes.
      let hasLongForm = version.map { $0 >= UBXProtocolVersion(18) } ?? true
      sleepMethods = hasLongForm ? [.ubxBackup16, .ubxBackup8] : [.ubxBackup8]
      savesNavigationData = true
    case .ubloxM9, .ubloxF9:
      sleepMethods = [.ubxBackup16, .ubxBackup8]
      savesNavigationData = true
    case .ubloxM10:
      // No M10 module has a flash to save to.
      sleepMethods = [.ubxBackup16]
    case .mediatek: sleepMethods = [.mtkStandby, .mtkBackup]
    case .airoha: sleepMethods = [.pairSleep]
    case .casic: sleepMethods = [.casStandby]
    case .simcom, .other: return
    }
    restarts = RestartKind.allCases
    stopsGnss = family.speaksUBX || family == .airoha
    dumpsNavigationData = family.speaksUBX && family != .ublox6 && family != .ublox7
    takesTime = family != .casic
    takesPosition = family != .casic
  }

  /// The sleeps that the host can end when it likes.
  ///
  /// - Parameter hasWakeLine: whether EXTINT, FORCE_ON or WAKEUP is wired to it.
  public func sleepMethods(hasWakeLine: Bool) -> [SleepMethod] {
    let ends: WakeSources = hasWakeLine ? [.bytes, .line] : [.bytes]
    return sleepMethods.filter { !$0.wakes.isDisjoint(with: ends) }
  }
}
