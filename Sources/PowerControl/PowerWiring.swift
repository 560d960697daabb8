import Quantities
import ReceiverProtocols

/// What a board offers for switching its receiver, and what is known about both.
public struct PowerWiring: Hashable, Sendable {
  public enum Means: Sendable {
    /// Nothing: the receiver is always powered, and only listened to or not.
    case none
    /// GPIO lines.
    case lines
    /// The kernel powers it while its device is open (Documentation/ABI/testing/sysfs-class-gnss).
    case deviceOpens
    /// No line at all, but it sleeps and wakes by command.
    case command
  }

  public var means: Means
  /// The lines that are wired.
  public var lines: Set<PowerLine>
  /// From switching the supply on until the receiver may be spoken to.
  public var settle: Seconds
  /// Whether the receiver's backup supply outlives a cut.
  public var hasBackupSupply: Bool
  public var sleepCommand: SleepCommand
  public var navigationBackup: NavigationBackup
  /// After that a receiver that should speak is revived. One that has booted says something within
  /// a second or two, a modem's within ten (`ReceiverPort.answersWithin`).
  public var answersWithin: Seconds
  /// Nil: it is asked who it is.
  public var family: ReceiverFamily?
  /// Whether questions reach the receiver; those of gpsd reach gpsd's own dialogue with it.
  public var mayAsk: Bool
  public var powerSaving: PowerSaving
  /// What the supply is left in when the daemon ends.
  public var onExit: LinePolicy

  public init(
    means: Means = .none, lines: Set<PowerLine> = [], settle: Seconds = 0.5,
    answersWithin: Seconds = 10,
    hasBackupSupply: Bool = true, sleepCommand: SleepCommand = .auto,
    navigationBackup: NavigationBackup = .auto, family: ReceiverFamily? = nil, mayAsk: Bool = true,
    powerSaving: PowerSaving = .keep,
    onExit: LinePolicy = .off
  ) {
    self.means = means
    self.lines = lines
    self.settle = settle
    self.answersWithin = answersWithin
    self.hasBackupSupply = hasBackupSupply
    self.sleepCommand = sleepCommand
    self.navigationBackup = navigationBackup
    self.family = family
    self.mayAsk = mayAsk
    self.powerSaving = powerSaving
    self.onExit = onExit
  }

  /// Whether the supply can be taken away.
  public var canCut: Bool { means == .deviceOpens || lines.contains(.supply) }
}

/// The lines that may run from the board to a receiver, by what they do there. "Active" is the
/// receiver's idea of it; how a line's voltage follows is `GpioLine`'s matter.
public enum PowerLine: String, Sendable, CaseIterable {
  /// Active: the receiver's supply is on.
  case supply
  /// Active: its backup supply (V_BCKP) is on.
  case backup
  /// Active: the level shifter in its serial line conducts. Without supply it must not, because a
  /// driven pin feeds the unpowered module (u-blox integration manuals, "do not drive PIOs").
  case uart
  /// Active: it is told to wake (EXTINT, FORCE_ON, WAKE_UP).
  case wake
  /// Active: it is held in reset.
  case reset
}

/// In which state the supply line is taken, or left.
public enum LinePolicy: String, Sendable, CaseIterable {
  case off
  case on
  /// As it was found.
  case keep
}

/// Which command puts the receiver to sleep.
public enum SleepCommand: Hashable, Sendable, CaseIterable, RawRepresentable {
  /// What the receiver's family understands, the gentlest first.
  case auto
  case none
  /// Only this one.
  case only(SleepMethod)

  public static var allCases: [SleepCommand] {
    [.auto, .none] + SleepMethod.allCases.map(SleepCommand.only)
  }

  public init?(rawValue: String) {
    guard let match = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = match
  }

  public var rawValue: String {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .only(let method): method.rawValue
    }
  }
}

/// How a receiver's navigation database (ephemerides, almanac, time and position) outlives a power
/// cut.
public enum NavigationBackup: String, Sendable, CaseIterable {
  /// The backup supply where there is one, otherwise what the receiver offers.
  case auto
  /// The receiver saves it in its own flash (UBX-UPD-SOS).
  case flash
  /// The daemon keeps it for the receiver (UBX-MGA-DBD).
  case host
  case none
}

/// Whether the receiver saves power by itself while it delivers fixes.
public enum PowerSaving: String, Sendable, CaseIterable {
  /// As it is set up.
  case keep
  /// u-blox' cyclic tracking: always ready, with short pauses, at larger errors.
  case on
  /// Full power, whatever it was set up to.
  case off

  /// Epochs as the daemon wants them; a search that failed is taken up again after ten seconds
  /// (UBX-CFG-PM2's default).
  private static let cyclic = UBXPowerSave(mode: .cyclic, updatePeriod: 1, searchPeriod: 10)

  /// What the receiver is sent at every start: a sleep or a cut may have undone it.
  func orders(_ commands: ReceiverCommands) -> [[UInt8]] {
    switch self {
    case .keep: []
    case .on: commands.savePower(Self.cyclic)
    case .off: commands.fullPower.map { [$0] } ?? []
    }
  }
}
