/// A module of the architecture: a folder under Sources, and what its files may import.
struct Module {
  enum Kind { case pure, platform, adapter, runtime, commandLine }

  let name: String
  let kind: Kind
  /// Beyond the modules that its kind allows.
  let modules: Set<String>

  /// In the order in which they may import each other: only what stands above.
  static let all = [
    Module("Quantities", .pure),
    Module("Notation", .pure),
    Module("SettingDeclarations", .pure),
    // Pure modules that import libm: for distributions here and in Fitting, for angles in Geodesy.
    Module("Statistics", .pure, ["Glibc"]),
    Module("Geodesy", .pure, ["Glibc"]),
    Module("Recurrence", .pure),
    Module("ReceiverProtocols", .pure),
    Module("Records", .pure),
    Module("Energy", .pure),
    Module("MonitorProtocols", .pure),
    Module("Fitting", .pure, ["Glibc"]),
    Module("Positioning", .pure),
    Module("Beacons", .pure, ["Glibc"]),
    Module("Contents", .pure),
    Module("People", .pure),
    Module("Letters", .pure),
    Module("Places", .pure),
    Module("Groups", .pure),
    Module("Correspondence", .pure),
    Module("Alerts", .pure),
    Module("Tracking", .pure),
    Module("Scoring", .pure),
    Module("Messages", .pure),
    Module("Formats", .pure),
    Module("PlaceFiles", .pure),
    Module("Delivery", .pure),
    Module("Laboratory", .pure),
    Module("PowerControl", .pure),
    Module("Config", .pure),
    Module("Provisioning", .pure),
    Module("Ports", .pure),
    // What every adapter needs of the system: clock, error text, socket addresses, small files.
    Module("Platform", .platform, ["Glibc"]),
    // GPIO lines as settings write them, for the adapters that have any.
    Module("GpioLines", .platform, ["Glibc", "CGpiod", "PowerControl", "Platform"]),
    // SQLite's statements and names, for the adapters that keep databases.
    Module("SQLite", .platform, ["Glibc", "CSQLite", "Notation", "Platform"]),
    // Netlink's messages, for the adapters that ask the kernel about networks.
    Module("Netlink", .platform, ["Glibc", "CNetlink", "Platform"]),
    // The system bus, for the adapters that ask services there.
    Module("Bus", .platform, ["Glibc", "CSystemd", "Ports", "Platform"]),
    Module("PowerMonitor", .adapter, ["Glibc", "CLinux"]),
    Module("Receivers", .adapter, ["Glibc", "CGps", "CLinux"]),
    Module("PowerSwitch", .adapter, ["Glibc", "CGpiod"]),
    Module("Coarse", .adapter, ["Glibc", "CGpiod", "CLinux", "CNetlink"]),
    Module("Bluetooth", .adapter),
    Module("Store", .adapter, ["Glibc", "CLinux", "CSQLite"]),
    Module("RadioMap", .adapter, ["Glibc"]),
    Module("MQTT", .adapter, ["Glibc", "CMosquitto"]),
    Module("PostGIS", .adapter, ["CPostgres"]),
    Module("HTTP", .adapter, ["Glibc", "CCurl", "CLinux"]),
    Module("Sodium", .adapter, ["CSodium"]),
    Module("Outbox", .adapter, ["Glibc"]),
    Module("UplinkSocket", .adapter, ["Glibc", "CSystemd"]),
    Module("AlertCommand", .adapter, ["Glibc", "CLinux"]),
    // libm, for the noise of its sensors.
    Module("VirtualDevice", .adapter, ["Glibc"]),
    Module("Runtime", .runtime, ["Glibc", "CSystemd", "CLinux", "CPages"]),
    Module("Uplink", .runtime, ["Glibc", "Runtime"]),
    // Names the adapters' settings, so that tests read them without the program.
    Module("GodwitSettings", .commandLine),
    Module("godwit", .commandLine, ["Glibc", "CLinux", "CVersion", "ArgumentParser"]),
  ]

  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// `Ports` is protocols and their errors: there is nothing in it to run.
  static let withBehaviour = all.map(\.name).filter { $0 != "Ports" }

  init(_ name: String, _ kind: Kind, _ modules: Set<String> = []) {
    self.name = name
    self.kind = kind
    self.modules = modules
  }

  /// What files of this module may import.
  var allowed: Set<String> {
    let above = Self.all.prefix { $0.name != name }
    return modules.union(
      above.filter { module in
        switch kind {
        case .pure: module.kind == .pure
        case .platform: ["Quantities", "Notation"].contains(module.name)
        // Settings reach an adapter as its own types, so that it can be used without Config.
        case .adapter: module.kind == .platform || module.kind == .pure && module.name != "Config"
        case .runtime: module.kind == .platform || module.kind == .pure
        case .commandLine: true
        }
      }.map(\.name))
  }
}
