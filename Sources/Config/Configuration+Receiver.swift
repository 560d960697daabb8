extension Configuration {
  /// Settings of the receiver that are fine alone but not together. The kernel's GNSS device is the
  /// receiver and its switch in one.
  var receiverContradictions: [SettingProblem] {
    let receiver = settings.receiver.kind
    let power = settings.powerSwitch.kind
    if power == .gnss && receiver != .gnss {
      return problem(
        with: "power_switch.kind",
        "needs receiver.kind = \"gnss\": the kernel switches a receiver only while its GNSS device "
          + "is open. Set that and receiver.device = \"/dev/gnss0\", or another power_switch.kind")
    }
    if receiver == .gnss && power != .gnss && power != .none {
      return problem(
        with: "receiver.kind",
        "has its power switched by the kernel; set power_switch.kind = \"gnss\", or \"none\" for a "
          + "receiver whose supply the kernel does not control")
    }
    return []
  }

  private func problem(with key: String, _ message: String) -> [SettingProblem] {
    guard let setting = SettingSection.byKey[key] else { return [] }
    let written = "\(key) = \(setting.value(in: settings).toml)"
    return [
      SettingProblem(place: origin(of: setting).description, message: "\(written) \(message)")
    ]
  }
}
