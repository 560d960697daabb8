import SettingDeclarations
import Tracking

/// When GNSS is wanted. Every policy keeps its settings, whichever is chosen.
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
    setting.section("policy", "When GNSS is switched on.")
    setting(
      "name", &name, .word(oneOf: Self.names),
      PolicyCatalogue.all.map { "\"\($0.name)\": \($0.doc)" }.joined(separator: " "))
    constants.declare(PolicyCatalogue.all.compactMap(\.settings), setting)
  }
}
