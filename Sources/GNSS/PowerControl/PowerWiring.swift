import Core

/// How a board can switch its receiver, and the known properties of both.
public struct PowerWiring: Hashable, Sendable {
  public enum Mechanism: Sendable {
    /// None: the receiver is always powered; only its line is opened and closed.
    case none
    /// GPIO lines.
    case lines
    /// The kernel powers it while its device is open (Documentation/ABI/testing/sysfs-class-gnss).
    case deviceOpens
    /// No line, but it sleeps and wakes by command.
    case command
  }

  public var mechanism: Mechanism
  /// The wired lines.
  public var lines: Set<PowerLine>
  /// From switching the supply on until the receiver accepts commands.
  public var settle: Seconds
  /// Whether the receiver's backup supply stays on through a cut.
  public var hasBackupSupply: Bool
  public var sleepCommand: SleepCommand
  public var navigationBackup: NavigationBackup
  /// A receiver without output after this time is recovered. After booting, a receiver sends output
  /// within one or two seconds, a modem's within ten (`ReceiverPort.startTimeout`).
  public var startTimeout: Seconds
  /// Nil: the receiver is queried.
  public var family: ReceiverFamily?
  /// Whether the receiver may be queried. Behind gpsd, queries would disturb gpsd's own dialogue
  /// with the receiver.
  public var mayQuery: Bool
  public var powerSaving: PowerSaving
  /// The state in which the supply is left when the daemon ends.
  public var onExit: LinePolicy

  public init(
    mechanism: Mechanism = .none, lines: Set<PowerLine> = [], settle: Seconds = 0.5,
    answersWithin: Seconds = 10,
    hasBackupSupply: Bool = true, sleepCommand: SleepCommand = .auto,
    navigationBackup: NavigationBackup = .auto, family: ReceiverFamily? = nil, mayAsk: Bool = true,
    powerSaving: PowerSaving = .keep,
    onExit: LinePolicy = .off
  ) {
    self.mechanism = mechanism
    self.lines = lines
    self.settle = settle
    self.startTimeout = answersWithin
    self.hasBackupSupply = hasBackupSupply
    self.sleepCommand = sleepCommand
    self.navigationBackup = navigationBackup
    self.family = family
    self.mayQuery = mayAsk
    self.powerSaving = powerSaving
    self.onExit = onExit
  }

  /// Whether the supply can be cut.
  public var canCut: Bool { mechanism == .deviceOpens || lines.contains(.supply) }
}

/// The possible lines from the board to a receiver, by their function. "Active" is relative to the
/// function; `GpioLine` maps it to a voltage.
public enum PowerLine: String, Sendable, CaseIterable {
  /// Active: the receiver's supply is on.
  case supply
  /// Active: its backup supply (V_BCKP) is on.
  case backup
  /// Active: the level shifter in its serial line conducts. Without supply it must not, because a
  /// driven pin feeds the unpowered module (u-blox integration manuals, "do not drive PIOs").
  case uart
  /// Active: the receiver is woken (EXTINT, FORCE_ON, WAKE_UP).
  case wake
  /// Active: the receiver is held in reset.
  case reset
}

/// The state in which the supply line is requested, or left.
public enum LinePolicy: String, Sendable, CaseIterable {
  case off
  case on
  /// The state before the daemon's start.
  case keep
}

/// The command that puts the receiver to sleep.
public enum SleepCommand: Hashable, Sendable, CaseIterable, RawRepresentable {
  /// The commands of the receiver's family, the shallowest sleep first.
  case auto
  case none
  /// Only this method.
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

/// How a receiver's navigation database (ephemerides, almanac, time and position) survives a power
/// cut.
public enum NavigationBackup: String, Sendable, CaseIterable {
  /// The backup supply if there is one, otherwise the receiver's own method.
  case auto
  /// The receiver saves it in its own flash (UBX-UPD-SOS).
  case flash
  /// The daemon stores it for the receiver (UBX-MGA-DBD).
  case host
  case none
}

/// Whether the receiver uses its own power-save mode while it delivers fixes.
public enum PowerSaving: String, Sendable, CaseIterable {
  /// The receiver's configuration is unchanged.
  case keep
  /// u-blox' cyclic tracking: always ready, with short pauses and larger errors.
  case on
  /// Full power, whatever the configuration.
  case off

  /// Epochs at the daemon's rate; a failed search is repeated after ten seconds (UBX-CFG-PM2's
  /// default).
  private static let cyclic = UBXPowerSave(mode: .cyclic, updatePeriod: 1, searchPeriod: 10)

  /// The commands that are sent at every start, because a sleep or a cut may have reset them.
  func commandBytes(_ commands: ReceiverCommands) -> [[UInt8]] {
    switch self {
    case .keep: []
    case .on: commands.savePower(Self.cyclic)
    case .off: commands.fullPower.map { [$0] } ?? []
    }
  }
}
