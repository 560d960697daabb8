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
