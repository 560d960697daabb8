import Foundation

/// A module of the manifest: a folder under Sources, and what its files may import.
struct Module {
  /// The tables of the manifest.
  enum Kind: String, CaseIterable { case pure, platform, adapters, runtime, program }

  let name: String
  let kind: Kind
  /// The imports listed in the manifest.
  let imports: Set<String>

  static let all = Result { try Manifest.modules() }

  /// Modules merged from several subjects, each a folder in the module and in its tests.
  static let folders: [String: [String]] = [
    "Core": [
      "Quantities", "Notation", "SettingDeclarations", "Statistics", "Geodesy", "Recurrence",
    ],
    "Records": ["Records", "Energy", "MonitorProtocols", "Contents"],
    "GNSS": ["ReceiverProtocols", "PowerControl"],
    "RadioSignals": ["Beacons", "Positioning"],
    "Places": ["Places", "Alerts"],
    "Formats": ["Messages", "Formats", "PlaceFiles"],
    "Analysis": ["Fitting", "Scoring", "Laboratory"],
    "Messaging": ["Engine", "People", "Letters", "Groups", "Meetings"],
    "Config": ["Config", "Provisioning"],
    "Hardware": [
      "GpioLines", "Netlink", "Bus", "Receivers", "PowerSwitch", "Coarse", "Bluetooth",
      "PowerMonitor", "AlertCommand",
    ],
    "Store": ["SQLite", "Store", "RadioMap", "Outbox"],
    "Transports": ["MQTT", "HTTP", "Sodium", "PostGIS"],
    "Uplink": ["UplinkSocket", "Uplink"],
  ]

  /// Adapters within one module do not use each other, except these folders: only the listed
  /// folders may use their declarations.
  static let shared: [String: Set<String>] = [
    "GpioLines": ["PowerSwitch", "Coarse"], "Netlink": ["Coarse"], "Bus": ["Coarse", "Bluetooth"],
    "SQLite": ["Store", "RadioMap", "Outbox"],
  ]

  /// The libraries that each subject may use; other subjects use none. Pure ones calculate with
  /// libm's functions.
  static let libraries: [String: Set<String>] = [
    "Statistics": ["Glibc"], "Geodesy": ["Glibc"], "Beacons": ["Glibc"], "Fitting": ["Glibc"],
    "Platform": ["Glibc"], "VirtualDevice": ["Glibc"],
    "GpioLines": ["Glibc", "CShims"], "Netlink": ["Glibc", "CLinux", "CNetlink"],
    "Bus": ["Glibc", "CSystemd"], "Receivers": ["Glibc", "CLinux", "CShims"],
    "PowerSwitch": ["Glibc", "CShims"], "Coarse": ["Glibc", "CLinux", "CNetlink", "CShims"],
    "PowerMonitor": ["Glibc", "CLinux"], "AlertCommand": ["Glibc", "CLinux"],
    "SQLite": ["Glibc", "CSQLite"], "Store": ["Glibc", "CLinux", "CSQLite"],
    "RadioMap": ["Glibc"], "Outbox": ["Glibc"],
    "MQTT": ["Glibc", "CShims"], "HTTP": ["Glibc", "CLinux", "CShims"], "Sodium": ["CShims"],
    "PostGIS": ["CShims"],
    "UplinkSocket": ["Glibc", "CSystemd"], "Uplink": ["Glibc"],
    "Runtime": ["Glibc", "CLinux", "CShims", "CSystemd"],
    "godwit": ["Glibc", "CLinux", "CVersion", "ArgumentParser"],
  ]

  var isMerged: Bool { Self.folders[name] != nil }

  /// A module of one subject is itself the subject.
  var subjects: [String] { Self.folders[name] ?? [name] }

  static func named(_ name: String) throws -> Module? { try all.get().first { $0.name == name } }

  /// - Parameter folder: within the module; empty for a file outside any folder.
  func mayImport(_ imported: String, in folder: String) throws -> Bool {
    if try Self.named(imported) != nil { return imports.contains(imported) }
    let subject = subjects.contains(folder) ? folder : name
    return Self.libraries[subject, default: []].contains(imported)
  }

  /// Why the manifest must not list an import; nil if it may.
  func objection(to other: Module) -> String? {
    switch (kind, other.kind) {
    case (.pure, .pure), (.runtime, .runtime), (.program, _): nil
    case (.platform, .pure): other.name == "Core" ? nil : "platform code knows no subject"
    case (.adapters, .adapters): "adapters never import each other"
    // An adapter receives its settings as its own types, so that it can be used without Config.
    case (.adapters, .pure): other.name == "Config" ? "an adapter knows its own settings" : nil
    case (.adapters, .platform), (.runtime, .platform), (.runtime, .pure): nil
    // GodwitSettings names the adapters' settings, so that tests read them without the program.
    case (.runtime, .adapters) where name == "GodwitSettings": nil
    case (.runtime, .adapters): "only the command line names a concrete adapter"
    default: "\(kind) modules import no \(other.kind) ones"
    }
  }
}

/// The list of modules in Package.swift.
enum Manifest {
  static func modules() throws -> [Module] {
    let url = SourceText.package.appendingPathComponent("Package.swift")
    return modules(in: try String(contentsOf: url, encoding: .utf8))
  }

  static func modules(in text: String) -> [Module] {
    Module.Kind.allCases.flatMap { kind in
      let opening = "let \(kind.rawValue): KeyValuePairs<String, String> = ["
      guard let start = text.range(of: opening),
        let end = text.range(of: "\n]", range: start.upperBound..<text.endIndex)
      else { return [Module]() }
      // A name is followed by a colon. All other strings are lists, in pieces if they are long.
      return text[start.upperBound..<end.lowerBound].matches(
        of: /"(\w+)":((?:[\s+]*"[^"]*")+)/
      ).map { match in
        let words = match.2.split { !$0.isLetter && !$0.isNumber }
        return Module(name: String(match.1), kind: kind, imports: Set(words.map(String.init)))
      }
    }
  }
}
