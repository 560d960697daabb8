import Records
import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// A monitor chip under a kernel driver of the hwmon class: ina2xx, ina238, ina3221, ltc2945.
///
/// It is searched for at every reading until it is found, and again after it has gone: drivers are
/// bound late, and chips lose their supply.
public final class HwmonMonitor: PowerMonitorPort {
  private let settings: MonitorSettings
  private let root: String
  private let clock: () -> BootInstant
  private let kernel: String
  private var kept: CachedChannel<HwmonChannel>
  private var warnings: [String] = []
  private var lastWarning: String?

  /// - Parameters:
  ///   - root: where sysfs is.
  ///   - kernel: release of the running kernel.
  public init(
    _ settings: MonitorSettings, root: String = "/sys", kernel: String? = nil,
    clock: (() -> BootInstant)? = nil
  ) {
    self.settings = settings
    self.root = root
    self.kernel = kernel ?? RunningSystem.kernelRelease
    self.clock = clock ?? { BootClock.now }
    kept = CachedChannel(window: settings.chip.facts.window)
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

  public func read() throws(PortError) -> PowerReading {
    let reading = try kept.read(clock: clock, name: name(with:)) {
      () throws(PortError) in
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

  /// The settings with the channel of that label.
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

/// The open files of one channel of a hwmon monitor, and how the current is computed from them.
///
/// `curr1_input` is rounded to 1 mA, at 100 mΩ coarser than the chip's own steps; power over
/// voltage is finer there. Whichever has the smaller steps at the present voltage is used.
final class HwmonChannel: DriverChannel {
  let device: ChipDevice
  let warning: String?
  /// Time from one converted value to the next.
  let window: Seconds
  private let settings: MonitorSettings
  private let factor: Double
  private let voltage: AttributeFile?
  private let current: AttributeFile?
  private let power: AttributeFile?
  /// The voltage across the shunt, in µV: only the ina3221 gives it with enough resolution.
  private let shuntVoltage: AttributeFile?
  private let energy: AttributeFile?

  init(
    _ device: ChipDevice, _ settings: MonitorSettings, kernel: String
  ) throws(AttributeFault) {
    self.device = device
    self.settings = settings
    let folder = device.folder + "/"
    if settings.chip == .ina3221 {
      let channel = settings.channel
      voltage = try .ifPresent(folder + "in\(channel)_input")
      // ina3221.c: in4 to in6 are the shunts', in µV.
      shuntVoltage = try .ifPresent(folder + "in\(channel + 3)_input")
      current = shuntVoltage == nil ? try AttributeFile(folder + "curr\(channel)_input") : nil
      power = nil
      energy = nil
    } else {
      voltage = try .ifPresent(folder + "in1_input")
      shuntVoltage = nil
      current = try AttributeFile(folder + "curr1_input")
      power = try .ifPresent(folder + "power1_input")
      energy = try .ifPresent(folder + "energy1_input")
    }
    if shuntVoltage == nil {
      let shunt = try DriverShunt(settings, folder: device.folder, kernel: kernel)
      factor = shunt.factor
      warning = shunt.warning
    } else {
      factor = 1
      warning = nil
    }
    window = try Self.window(settings.chip, folder)
  }

  /// From the driver's present configuration. ina3221: `update_interval` is one conversion of all
  /// channels, averaged `samples` times.
  private static func window(
    _ chip: MonitorChip, _ folder: String
  ) throws(AttributeFault) -> Seconds {
    guard let interval = try AttributeFile.number(at: folder + "update_interval"), interval > 0
    else { return chip.facts.window }
    let samples = try AttributeFile.number(at: folder + "samples") ?? 1
    return Seconds(min(interval / 1000 * max(1, samples), 60))
  }

  func read(clock: () -> BootInstant) throws(AttributeFault) -> PowerReading {
    let before = clock()
    let volts = try voltage.map { file throws(AttributeFault) in
      Volts(try file.number() / 1000)
    }
    let (amperes, step) = try measure(at: volts ?? 0)
    let counted = try energy?.number()
    let taken = BootInstant.middle(before, clock())
    var reading = PowerReading(
      taken: taken, current: amperes, voltage: volts ?? settings.nominalSupply,
      accuracy: settings.accuracy(coarsest: step))
    reading.isVoltageMeasured = volts != nil
    reading.accumulatedEnergy = counted.map { Joules($0 * 1e-6 * factor) }
    return reading
  }

  /// The current, and its resolution.
  private func measure(at volts: Volts) throws(AttributeFault) -> (Amperes, step: Amperes) {
    if let shuntVoltage {
      return (Volts(try shuntVoltage.number() * 1e-6) / settings.shunt, 0)
    }
    guard let current else { return (0, 0) }
    let shown = try current.number()
    let half = cutsCurrent ? Self.halfStep(of: shown) : 0
    let direct = Amperes((shown + half) * 1e-3 * factor)
    let directStep = Amperes(0.001 * factor * (cutsCurrent ? 2 : 1))
    guard let power, let factors = settings.chip.facts.powerFactor, volts > 0 else {
      return (direct, directStep)
    }
    let resistor = settings.chip.facts.internalShunt ?? settings.shunt
    let step: Watts = settings.chip.facts.shuntStep / resistor * factors
    // No data sheet says that the value is truncated rather than rounded: ± a whole step, not half.
    let powerStep: Watts = step * 2.0
    guard powerStep / volts < directStep else { return (direct, directStep) }
    // Power has no sign.
    let counted = Watts(try power.number() * 1e-6 * factor)
    let cut: Double = cutsPower ? Self.halfStep(of: counted.value) : 0
    let magnitude = (counted + step * cut) / volts
    return (direct < 0 ? -magnitude : magnitude, powerStep / volts)
  }

  /// Truncation removes half a step on average, away from zero. A zero stays: it is mostly a
  /// receiver that is off.
  private static func halfStep(of value: Double) -> Double {
    value == 0 ? 0 : value > 0 ? 0.5 : -0.5
  }

  /// The power register is an integer quotient: current times bus voltage, by 5,000 or 20,000
  /// (SBOS448G, 8.5.1; SBOS547B, 7.5.2). For the INA260 nothing is documented, and steps of 24 bits
  /// are negligible.
  private var cutsPower: Bool {
    switch settings.chip {
    case .ina219, .ina220, .ina226, .ina230, .ina231: true
    case .ina228, .ina237, .ina238, .ina260, .ina3221, .ltc2945: false
    }
  }

  /// ina238.c truncates curr1_input, ina2xx.c rounds it.
  private var cutsCurrent: Bool {
    switch settings.chip {
    case .ina228, .ina237, .ina238: true
    case .ina219, .ina220, .ina226, .ina230, .ina231, .ina260, .ina3221, .ltc2945: false
    }
  }
}
