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
  public var orbitKeeping: OrbitKeeping
  /// After that a receiver that should speak is revived. One that has booted says something within
  /// a second or two, a modem's within ten; gpsd may try all speeds first, 3 s each.
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
    orbitKeeping: OrbitKeeping = .auto, family: ReceiverFamily? = nil, mayAsk: Bool = true,
    powerSaving: PowerSaving = .keep,
    onExit: LinePolicy = .off
  ) {
    self.means = means
    self.lines = lines
    self.settle = settle
    self.answersWithin = answersWithin
    self.hasBackupSupply = hasBackupSupply
    self.sleepCommand = sleepCommand
    self.orbitKeeping = orbitKeeping
    self.family = family
    self.mayAsk = mayAsk
    self.powerSaving = powerSaving
    self.onExit = onExit
  }

  /// Whether the supply can be taken away.
  public var canCut: Bool { means == .deviceOpens || lines.contains(.supply) }
}
