import Config
import Energy
import PowerControl
import PowerMonitor
import Runtime
import SettingDeclarations
import Store
import Tracking

/// Everything that can be set, with its default. Each part is the struct of the module that it
/// sets, which also declares its settings; here they are only combined.
///
/// A module of its own, above the adapters and below the command line: tests and fuzzers read
/// settings without the program.
public struct Settings: SettingsRoot {
  public var receiver = ReceiverSettings()
  public var powerSwitch = PowerSwitchSettings()
  public var powerMonitor = MonitorSettings()
  public var gnss = ReceiverEnergyModel.ubloxM8
  public var policy = PolicyChoice()
  public var acquisition = AcquisitionSettings()
  public var coarse = CoarseSettings()
  public var pipeline = LocationSettings()
  public var store = StoreSettings()
  public var control = ControlSettings()

  public init() {}

  public static let schema = SettingsSchema<Self>(
    hardware + schedule + LocationSettings.sections.map { $0.within(\.pipeline) } + service,
    conflicts: { $0.conflictsOfHardware })

  /// What belongs to the board: usually set by its board file.
  private static let hardware: [SettingSection<Self>] = [
    ReceiverSettings.section.within(\.receiver),
    PowerSwitchSettings.section.within(\.powerSwitch),
    MonitorSettings.section.within(\.powerMonitor),
    ReceiverEnergyModel.section.within(\.gnss),
  ]

  /// When GNSS runs.
  private static let schedule: [SettingSection<Self>] =
    PolicyChoice.sections.map { $0.within(\.policy) } + [
      AcquisitionSettings.section.within(\.acquisition),
      CoarseSettings.section.within(\.coarse),
    ]

  /// What belongs to the daemon as a service.
  private static let service: [SettingSection<Self>] = [
    StoreSettings.section.within(\.store), ControlSettings.section.within(\.control),
  ]
}

/// Where records are kept, and for how long.
public struct StoreSettings: SettingGroup {
  public var path = "/var/lib/godwit/godwit.gpkg"
  public var retention = RetentionLimits(minimumFree: 64_000_000)
  public var commits = CommitSettings()

  public init() {}

  static let section = SettingSection<Self>(
    "store", "Where records are kept: one SQLite file that is also a GeoPackage.",
    [
      Setting(
        "path", \.path, .text(bytes: 1...4095),
        "The file. It is made when it does not exist.")
    ] + RetentionLimits.settings.within(\.retention) + CommitSettings.settings.within(\.commits))
}
