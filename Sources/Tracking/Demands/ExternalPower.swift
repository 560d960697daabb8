import Core

/// The use of an external supply.
public struct ExternalPowerProfile: Hashable, SettingGroup {
  public enum Profile: String, Sendable, CaseIterable { case continuous, policy }

  public var profile = Profile.continuous
  public var grace: Seconds = 300

  public init() {}

  /// Makes no demand.
  public static let evidenceOnly: ExternalPowerProfile = {
    var settings = ExternalPowerProfile()
    settings.profile = .policy
    return settings
  }()

  /// Continues the section of the source that reports the supply.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "profile", &profile, .choice,
      "What it is used for. \"continuous\": while it is there GNSS stays on, whatever the policy "
        + "and its budget say, and the trajectory keeps its shape. \"policy\": nothing; it is only "
        + "evidence that a journey may begin.", counts: .atReload)
    setting(
      "grace_s", &grace, .quantity(0...86_400),
      "So long after it has gone it is taken for being there still: an engine is started again, a "
        + "plug is moved.", counts: .atReload)
  }
}

/// Whether the board is supplied externally, and the resulting demand for GNSS.
struct ExternalPower: Sendable {
  private let settings: ExternalPowerProfile
  private(set) var isOn = false
  /// When it was last disconnected.
  private var wentOff: BootInstant?

  init(_ settings: ExternalPowerProfile) { self.settings = settings }

  mutating func switched(isOn: Bool, at now: BootInstant) {
    if self.isOn, !isOn { wentOff = now }
    self.isOn = isOn
  }

  func demand(at now: BootInstant) -> GnssDemand? {
    guard settings.profile == .continuous else { return nil }
    if isOn { return GnssDemand(.on, reason: "external power: continuous") }
    guard let end = graceEnd(after: now) else { return nil }
    let left = Int((end - now).value.rounded(.up))
    return GnssDemand(
      .on, reason: "external power has gone: continuous for another \(left) s")
  }

  /// When the grace period ends; nil: there is none.
  func graceEnd(after now: BootInstant) -> BootInstant? {
    guard settings.profile == .continuous, !isOn, let wentOff else { return nil }
    let end = wentOff + settings.grace
    return end > now ? end : nil
  }

  /// The settings have changed, the supply has not.
  mutating func inherit(from other: ExternalPower) {
    isOn = other.isOn
    wentOff = other.wentOff
  }
}
