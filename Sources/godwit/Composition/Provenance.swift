import Config
import GodwitSettings
import Core
import Platform
import GNSS
import Hardware
import Records

/// The origin of a store: enough to create it again, and to distinguish the record of a life from a
/// simulation. It is stored in the table `meta` as `provenance`, and printed by `--json`.
///
/// It contains no date and not the store's name, so that the same run creates the same store.
struct Provenance {
  /// The origin of the locations.
  enum Kind: String {
    /// A receiver on a board.
    case real
    /// A recording of a receiver.
    case replayed
    /// The virtual board.
    case simulated
  }

  let kind: Kind
  /// The settings in force.
  let configuration: Configuration<Settings>
  /// The policy that ran, which may differ from that of the settings.
  var policy: String
  /// The arguments of the program.
  private let command: [String]
  /// The parameters of the run besides the settings.
  var details: [(String, JSONValue)] = []

  /// The virtual board has both, whatever the settings have for the real one.
  var powerSwitch: PowerSwitchSettings.Kind
  private let powerMonitor: MonitorSettings.Kind

  init(kind: Kind, configuration: Configuration<Settings>) {
    self.kind = kind
    self.configuration = configuration
    policy = configuration.settings.policy.name
    let settings = configuration.settings
    powerSwitch = kind == .replayed ? .none : settings.powerSwitch.kind
    powerMonitor =
      switch kind {
      case .real: settings.powerMonitor.kind
      case .replayed: .none
      case .simulated: .virtual
      }
    command = (try? ProgramArguments.all()) ?? []
  }

  var record: Record { .provenance(json.text) }

  var json: JSONValue {
    let receiver = configuration.settings.receiver
    let set = configuration.declared.settings.filter {
      configuration.origin(of: $0.key) != .builtIn
    }.map { ($0.key, $0.isSecret ? .string(Setting.redacted) : $0.value.json) }
    return .object(
      [
        ("program", .string("godwit")),
        ("version", .string(Godwit.configuration.version)),
        ("command", .array(Self.withoutStore(command).map { .string(Self.withoutSecret($0)) })),
        ("kind", .string(kind.rawValue)),
        ("policy", .string(policy)),
        (
          "device_name",
          kind == .real
            ? .string(configuration.settings.device.name ?? RunningSystem.hostName) : .null
        ),
        (
          "receiver",
          .object([
            ("kind", .string(kind == .real ? receiver.kind.rawValue : kind.rawValue)),
            ("family", .text(receiver.family?.rawValue)),
          ])
        ),
        ("power_switch", .string(powerSwitch.rawValue)),
        ("power_monitor", .string(powerMonitor.rawValue)),
        ("boards", .array(configuration.boards.map { .string($0) })),
        (
          "settings",
          .object(set)
        ),
      ] + details)
  }

  /// The names of settings that may contain a secret: a store is shared with others.
  static let secrets = DeclaredSettings(in: Settings()).settings.filter(\.isSecret).map(\.key)

  /// - Parameter argument: a program argument, such as "lookup.url=…" or "--set=lookup.url=…".
  static func withoutSecret(_ argument: String) -> String {
    for name in secrets {
      guard let place = argument.firstRange(of: name + "=") else { continue }
      return argument[..<place.upperBound] + Setting.redacted
    }
    return argument
  }

  /// Drops the store's name, which is not part of the provenance.
  private static func withoutStore(_ arguments: [String]) -> [String] {
    var kept: [String] = []
    var isValue = false
    for argument in arguments {
      if isValue {
        isValue = false
      } else if argument == "--store" {
        isValue = true
      } else if !argument.hasPrefix("--store=") {
        kept.append(argument)
      }
    }
    return kept
  }
}
