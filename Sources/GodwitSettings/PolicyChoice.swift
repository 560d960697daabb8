import SettingDeclarations
import Tracking

/// When GNSS is wanted. Every policy keeps its constants, whichever is chosen.
public struct PolicyChoice: SettingGroup {
  public var name = HybridPolicy.name
  /// The constants of each policy, by its section: `constants[HybridSettings.section]`.
  public var constants = SettingCollection()

  public init() {}

  /// The names that there are.
  public static var names: [String] { all.map(\.name) }

  public var chosen: PolicySettings {
    Self.all.first { $0.name == name }?.settings(constants) ?? .continuous
  }

  /// The choice, then the constants of the policies that have some.
  static let sections =
    [
      SettingSection<Self>(
        "policy", "When GNSS is switched on.",
        [
          Setting(
            "name", \.name, .word(oneOf: names),
            all.map { "\"\($0.name)\": \($0.doc)" }.joined(separator: " "))
        ])
    ] + all.compactMap { $0.section?.within(\.constants) }

  private struct Entry: Sendable {
    let name: String
    let doc: String
    /// Nil: nothing can be set about it.
    var section: SettingSection<SettingCollection>?
    let settings: @Sendable (SettingCollection) -> PolicySettings
  }

  private static let all = [
    Entry(
      name: HybridPolicy.name,
      doc: "Algorithm 1 of G. Stylianou, \"Efficient Spatial Tracking for iOS Devices\".",
      section: HybridSettings.section.collected,
      settings: { .hybrid($0[HybridSettings.section]) }),
    Entry(
      name: PeriodicPolicy.name, doc: "one location every so often.",
      section: PeriodicSettings.section.collected,
      settings: { .periodic($0[PeriodicSettings.section]) }),
    Entry(name: ContinuousPolicy.name, doc: "always on.", settings: { _ in .continuous }),
  ]
}
