/// A room of the architecture: a folder under Sources, and what its files may import.
struct Room {
  enum Kind { case pure, platform, adapter, runtime, commandLine }

  let name: String
  let kind: Kind
  /// Beyond the rooms that its kind allows.
  let modules: Set<String>

  /// In the order in which they may import each other: only what stands above.
  static let all = [
    Room("Quantities", .pure),
    Room("Notation", .pure),
    Room("SettingDeclarations", .pure),
    // The only pure room that imports libm.
    Room("Geodesy", .pure, ["Glibc"]),
    Room("ReceiverProtocols", .pure),
    Room("Records", .pure),
    Room("Energy", .pure),
    Room("MonitorProtocols", .pure),
    Room("Tracking", .pure),
    Room("Formats", .pure),
    Room("PowerControl", .pure),
    Room("Config", .pure),
    Room("Ports", .pure),
    // What every adapter needs of the system: clock, error text, socket addresses, small files.
    Room("Platform", .platform, ["Glibc"]),
    Room("PowerMonitor", .adapter, ["Glibc", "CLinux"]),
    Room("Receivers", .adapter, ["Glibc", "CGps", "CLinux"]),
    Room("PowerSwitch", .adapter, ["Glibc", "CGpiod"]),
    Room("Store", .adapter, ["Glibc", "CLinux", "CSQLite"]),
    // libm, for the noise of its sensors.
    Room("VirtualDevice", .adapter, ["Glibc"]),
    Room("Runtime", .runtime, ["Glibc", "CSystemd", "CLinux"]),
    // Names the adapters' settings, so that tests read them without the program.
    Room("GodwitSettings", .commandLine),
    Room("godwit", .commandLine, ["Glibc", "ArgumentParser"]),
  ]

  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// `Ports` is protocols and their errors: there is nothing in it to run.
  static let withBehaviour = all.map(\.name).filter { $0 != "Ports" }

  init(_ name: String, _ kind: Kind, _ modules: Set<String> = []) {
    self.name = name
    self.kind = kind
    self.modules = modules
  }

  /// What files of this room may import.
  var allowed: Set<String> {
    let above = Self.all.prefix { $0.name != name }
    return modules.union(
      above.filter { room in
        switch kind {
        case .pure: room.kind == .pure
        case .platform: ["Quantities", "Notation"].contains(room.name)
        // Settings reach an adapter as its own types, so that it can be used without Config.
        case .adapter: room.kind == .platform || room.kind == .pure && room.name != "Config"
        case .runtime: room.kind == .platform || room.kind == .pure
        case .commandLine: true
        }
      }.map(\.name))
  }
}
