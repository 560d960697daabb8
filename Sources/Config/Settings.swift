import Energy
import MonitorProtocols
import PowerControl
import Quantities
import Tracking

/// Everything that can be set, with its default. `SettingSection.all` says how each is written.
public struct Settings: Equatable, Sendable {
  public var receiver = Receiver()
  public var powerSwitch = PowerSwitch()
  public var powerMonitor = PowerMonitor()
  public var gnss = ReceiverEnergyModel.ubloxM8
  public var policy = Policy()
  public var acquisition = AcquisitionSettings()
  public var coarse = CoarseSettings()
  public var perception = PerceptionSettings()
  public var store = Store()
  public var control = Control()

  public init() {}

  /// Where receiver bytes come from.
  public struct Receiver: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable { case serial, gpsd, gnss, none }
    public var kind = Kind.serial
    /// Whether the daemon talks to the receiver itself, with no other program in between.
    public var hasOwnDevice: Bool { kind == .serial || kind == .gnss }
    /// Of a serial receiver, or the kernel's GNSS device.
    public var device = "/dev/gnss-receiver"
    /// 0: try the usual speeds.
    public var baud = 0
    /// Of gpsd.
    public var host = "localhost"
    public var port = 2947
    /// As gpsd names it; empty: the only one that it has.
    public var gpsdDevice = ""
    /// Path of gpsd's control socket, where Debian's gpsd.socket has it; empty: it is not used.
    public var gpsdControl = "/run/gpsd.sock"
    public var family = FamilyChoice.auto
    public var powerSaving = PowerSaving.keep
    public var acceptsMissingChecksums = false
    /// No date before this one is believed; it decides which 1024-week era a receiver is in.
    public var dateFloor = UTCInstant(seconds: 1_767_225_600)  // 2026-01-01
  }

  /// What turns the receiver on and off.
  public struct PowerSwitch: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable { case none, gpio, gnss, command, virtual }
    public var kind = Kind.none
    /// Whether it switches a receiver outside this program's memory.
    public var isReal: Bool { kind != .none && kind != .virtual }
    /// The lines that are wired.
    public var lines: [PowerLine: GpioLine] = [:]
    public var settle = Seconds(0.5)
    public var onStart = LinePolicy.off
    public var onExit = LinePolicy.off
    public var hasBackupSupply = true
    public var sleepCommand = SleepCommand.auto
    public var orbitKeeping = NavigationBackup.auto

    subscript(line: PowerLine) -> GpioLine? {
      get { lines[line] }
      set { lines[line] = newValue }
    }
  }

  /// What measures the receiver's current.
  public struct PowerMonitor: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
      case none, hwmon, iio, i2c
      case powerSupply = "power_supply"
      case virtual
    }
    public var kind = Kind.none
    public var chip = MonitorChip.ina226
    /// Number of the I2C bus; -1: any.
    public var bus = -1
    /// On the I2C bus; 0: any.
    public var address = 0x40
    /// Of a monitor with several, counted from 1.
    public var channel = 1
    /// Of the channel, as the device tree names it, instead of its number; empty: the number
    /// counts.
    public var label = ""
    public var shunt: Ohms = 0.1
    /// Half width, in percent of the shunt.
    public var shuntTolerancePercent = 1.0
    /// Instead of chip, bus and address; empty: those count.
    public var device = ""
  }

  /// When GNSS is wanted. Every policy keeps its constants, whichever is chosen.
  public struct Policy: Equatable, Sendable {
    public enum Name: String, Sendable, CaseIterable { case hybrid, periodic, continuous }
    public var name = Name.hybrid
    public var hybrid = HybridSettings()
    public var periodic = PeriodicSettings()

    public var chosen: PolicySettings {
      switch name {
      case .hybrid: .hybrid(hybrid)
      case .periodic: .periodic(periodic)
      case .continuous: .continuous
      }
    }
  }

  /// Where records are kept, and for how long.
  public struct Store: Equatable, Sendable {
    public var path = "/var/lib/godwit/godwit.gpkg"
    /// Zero: for ever.
    public var retention = Seconds.days(0)
    /// 0: any number.
    public var retentionPoints = 0
    /// In bytes.
    public var minimumFree = 64_000_000
    public var commitInterval = Seconds.minutes(15)
  }

  /// How `godwit status` and `godwit gnss` reach the daemon.
  public struct Control: Equatable, Sendable {
    public var socket = "/run/godwit/control.sock"
    public var group = "godwit"
  }
}
