import Platform

/// Whether a Raspberry Pi's kernel leaves a line as it is when no process holds it any more, as
/// after a crash (`persist_gpio_outputs` of pinctrl-bcm2835.c and pinctrl-rp1.c).
enum LinePersistence {
  /// - Parameters:
  ///   - label: the chip's.
  ///   - modules: where the kernel shows its modules' parameters.
  /// - Returns: nil for other chips, and for drivers without the parameter.
  static func kept(chip label: String, modules: String = "/sys/module") -> Bool? {
    let driver =
      label.hasPrefix("pinctrl-rp1")
      ? "pinctrl_rp1" : label.hasPrefix("pinctrl-bcm2") ? "pinctrl_bcm2835" : nil
    guard let driver else { return nil }
    return
      switch SystemFiles.firstLine(of: "\(modules)/\(driver)/parameters/persist_gpio_outputs")
    {
    case "Y": true
    case "N": false
    default: nil
    }
  }
}
