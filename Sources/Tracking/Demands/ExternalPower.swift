import Core

/// What a supply beside the battery is used for.
public struct ExternalPowerProfile: Hashable, SettingGroup {
  public enum Profile: String, Sendable, CaseIterable { case continuous, policy }

  public var profile = Profile.continuous
  public var grace: Seconds = 300

  public init() {}

  /// It asks for nothing.
  public static let evidenceOnly: ExternalPowerProfile = {
    var settings = ExternalPowerProfile()
    settings.profile = .policy
    return settings
  }()

  /// Goes on with the section of whatever tells of the supply.
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

/// Whether something else than the battery supplies the board, and what that asks of GNSS.
struct ExternalPower: Sendable {
  private let settings: ExternalPowerProfile
  private(set) var isOn = false
  /// When it went last.
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

  /// When what it asked for ends; nil: it asks for nothing, or until something changes.
  func graceEnd(after now: BootInstant) -> BootInstant? {
    guard settings.profile == .continuous, !isOn, let wentOff else { return nil }
    let end = wentOff + settings.grace
    return end > now ? end : nil
  }

  /// Settings have changed, the supply has not.
  mutating func inherit(from other: ExternalPower) {
    isOn = other.isOn
    wentOff = other.wentOff
  }
}
