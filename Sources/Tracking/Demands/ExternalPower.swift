import Core

/// The use of an external supply.
public struct ExternalPowerProfile: Hashable, SettingGroup {
  enum Profile: String, Sendable, CaseIterable { case continuous, policy }

  var profile = Profile.continuous
  var grace: Seconds = 300

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
      "Use of the external supply. \"continuous\": while it is present GNSS stays on, regardless "
        + "of the policy and its budget, and the trajectory keeps its shape. \"policy\": none; it "
        + "is only evidence that a journey may begin.", counts: .atReload)
    setting(
      "grace_s", &grace, .quantity(0...86_400),
      "Time for which the supply counts as present after its end: an engine is restarted, a plug "
        + "is moved.", counts: .atReload)
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
      .on, reason: "external power is off: continuous for another \(left) s")
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
