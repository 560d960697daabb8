import Hardware
import RadioSignals
import Messaging
import Delivery
import Records
import Places
import GNSS
import Runtime
import Core
import Store
import Tracking

/// All settings with their defaults. Each part is the struct of the module that it configures,
/// which also declares its settings; here they are only combined.
///
/// A separate module, above the adapters and below the command line, so that tests and fuzzers read
/// settings without the program.
public struct Settings: SettingGroup {
  public var device = DeviceSettings()
  public var receiver = ReceiverSettings()
  public var powerSwitch = PowerSwitchSettings()
  public var powerMonitor = MonitorSettings()
  /// The settings of each source other than GNSS, by its type: `sources[CellSettings.self]`.
  public var sources = SettingCollection()
  public var externalPowerProfile = ExternalPowerProfile()
  public var bluetooth = BluetoothSettings()
  public var gnss = ReceiverEnergyModel.ubloxM8
  public var policy = PolicyChoice()
  public var acquisition = AcquisitionSettings()
  public var coarse = CoarseSettings()
  public var surroundings = RadioEnvironmentSettings()
  public var pipeline = LocationSettings()
  public var places = PlaceSettings()
  public var beacons = BeaconSettings()
  public var alerts = AlertSettings()
  public var people = PeopleSettings()
  public var store = StoreSettings()
  public var uplink = UplinkSettings()
  public var control = ControlSettings()

  public init() {}

  /// The identity of the board among those who see places.
  public var visitor: Visitor { places.visitor(knownAs: people.address) }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.conflicts(conflictsOfHardware + conflictsOfBudget)
    // Settings of the board, which its board file usually sets.
    receiver.declare(setting)
    powerSwitch.declare(setting)
    powerMonitor.declare(setting)
    for source in EvidenceSourceCatalogue.all {
      sources.declare([source.settings], setting)
      // Continues the section of the source that reports the supply.
      if source.settings == ExternalPowerSettings.self { externalPowerProfile.declare(setting) }
    }
    bluetooth.declare(setting)
    gnss.declare(setting)
    // When GNSS runs.
    policy.declare(setting)
    acquisition.declare(setting)
    coarse.declare(setting)
    surroundings.declare(setting)
    pipeline.declare(setting)
    // Settings of the daemon as a service.
    device.declare(setting)
    places.declare(setting)
    beacons.declare(setting)
    alerts.declare(setting)
    people.declare(setting)
    store.declare(setting)
    uplink.declare(setting)
    control.declare(setting)
  }
}

/// The name of this device.
public struct DeviceSettings: SettingGroup {
  private var given = ""

  public init() {}

  /// Nil: the host's name is used.
  public var name: String? { given.isEmpty ? nil : given }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("device", counts: .atReload, "Identity of this device.")
    setting(
      "name", &given, .text(bytes: 0...63),
      "Name of the device in all its output. Empty: the host name.")
  }
}

/// The identity of the board among those who see places.
public struct PlaceSettings: SettingGroup {
  private static let mostGroups = 100
  private static let longestName = 200  // bytes

  private var person = ""
  private var groups: [String] = []

  public init() {}

  /// - Parameter address: the address of the board's owner; nil: none.
  fileprivate func visitor(knownAs address: PersonAddress?) -> Visitor {
    let name = person.isEmpty ? address?.description ?? Visitor.keeper : person
    return Visitor(name, groups: Set(groups))
  }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("places", "Person of the board, who sees and follows places.")
    setting(
      "person", &person, .text(bytes: 0...Self.longestName),
      "Person of the board: the owner of the places that are added on it. Places that only other "
        + "people may see are not watched, and not reported to remote requests. Empty: "
        + "people.address, or \"\(Visitor.keeper)\" without one; places of "
        + "\"\(Visitor.keeper)\" remain those of the owner of the board.")
    setting(
      "groups", &groups, .texts(atMost: Self.mostGroups, bytes: 1...Self.longestName),
      "Groups to which that person belongs.")
  }
}

/// The actions when the board enters or leaves places.
public struct AlertSettings: SettingGroup {
  public var command = AlertCommandSettings()
  public private(set) var requestsFixes = true

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("alerts", counts: .atReload, "Actions for alerts, in addition to storing them.")
    setting(
      "looks", &requestsFixes, .flag,
      "Locate the board for alerts. If false, alerts cost no energy, and use only the fixes of the "
        + "schedule.")
    command.declare(setting)
  }
}

/// The store's path and retention.
public struct StoreSettings: SettingGroup {
  public var path = "/var/lib/godwit/godwit.gpkg"
  public var retention = RetentionLimits(minimumFree: 64_000_000)
  public var commits = CommitSettings()

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "store", "Store of the records: one SQLite file that is also a GeoPackage.")
    setting(
      "path", &path, .text(bytes: 1...4095),
      "Path of the store. Created if missing.")
    retention.declare(setting)
    commits.declare(setting)
  }
}

/// When GNSS is needed. Every policy keeps its settings, whichever is chosen.
public struct PolicyChoice: SettingGroup {
  public var name = PolicyCatalogue.all[0].name
  /// The settings of each policy, by its type: `constants[HybridSettings.self]`.
  public var constants = SettingCollection()

  public init() {}

  /// All policy names.
  public static var names: [String] { PolicyCatalogue.all.map(\.name) }

  public var chosen: PolicySettings {
    guard let descriptor = PolicyCatalogue.named(name) else {
      preconditionFailure("policy.name takes no names but those of the catalogue: \(name)")
    }
    return PolicySettings(descriptor, constants)
  }

  /// The choice, then the settings of the policies that have any.
  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("policy", counts: .atReload, "Schedule of GNSS.")
    setting(
      "name", &name, .word(oneOf: Self.names),
      PolicyCatalogue.all.map { "\"\($0.name)\": \($0.doc)" }.joined(separator: " "))
    constants.declare(PolicyCatalogue.all.compactMap(\.settings), setting)
  }
}
