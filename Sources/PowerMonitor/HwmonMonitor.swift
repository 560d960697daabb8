import Energy
import Platform
import Ports
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A monitor chip under a kernel driver of the hwmon class: ina2xx, ina238, ina3221, ltc2945.
///
/// It is looked for at every reading until it is found, and again when it has gone: drivers are
/// bound late, and chips lose their supply.
public final class HwmonMonitor: PowerMonitorPort {
  private let settings: MonitorSettings
  private let root: String
  private let clock: () -> BootInstant
  private let kernel: String
  private var kept: KeptChannel<HwmonChannel>
  private var warnings: [String] = []
  private var lastWarning: String?

  /// - Parameters:
  ///   - root: where sysfs is.
  ///   - kernel: release of the running one.
  public init(
    _ settings: MonitorSettings, root: String = "/sys", kernel: String? = nil,
    clock: (() -> BootInstant)? = nil
  ) {
    self.settings = settings
    self.root = root
    self.kernel = kernel ?? RunningSystem.kernelRelease
    self.clock = clock ?? { BootClock.now }
    kept = KeptChannel(window: settings.chip.facts.window)
  }

  public var name: String { name(with: kept.channel?.device) }

  private func name(with device: ChipDevice?) -> String {
    let chip = device?.description ?? settings.chipText
    guard settings.chip.channels > 1 else { return chip }
    return "\(chip) channel \(settings.label ?? "\(settings.channel)")"
  }

  public var window: Seconds { kept.window }

  public func takeWarnings() -> [String] {
    defer { warnings = [] }
    return warnings
  }

  public func read() throws(PowerMonitorError) -> PowerReading {
    let reading = try kept.read(clock: clock, name: name(with:)) {
      () throws(PowerMonitorError) in
      try HwmonDevice.find(settings, below: root)
    } open: { device throws(AttributeFault) in
      try HwmonChannel(device, try resolved(on: device), kernel: kernel)
    }
    add(kept.channel?.warning)
    return reading
  }

  /// Logged once, not at every return of a chip with a loose contact.
  private func add(_ warning: String?) {
    guard let warning, warning != lastWarning else { return }
    lastWarning = warning
    warnings.append(warning)
  }

  /// The settings with the channel that has the label.
  private func resolved(on device: ChipDevice) throws(AttributeFault) -> MonitorSettings {
    guard let label = settings.label, settings.chip.channels > 1 else { return settings }
    var resolved = settings
    let labels = (1...settings.chip.channels).map {
      SystemFiles.firstLine(of: "\(device.folder)/in\($0)_label")
    }
    guard let index = labels.firstIndex(of: label) else {
      throw AttributeFault(path: device.folder, reason: .noLabel(label, labels.map { $0 ?? "" }))
    }
    resolved.channel = index + 1
    return resolved
  }
}
