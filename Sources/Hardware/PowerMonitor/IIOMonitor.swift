import Records
import Platform
import Ports
import Core

/// A monitor chip under the kernel's IIO driver ina2xx-adc. The current is computed from the shunt
/// voltage (in_voltage0), which does not depend on the driver's shunt setting.
public final class IIOMonitor: PowerMonitorPort {
  private let settings: MonitorSettings
  private let root: String
  private let devices: String
  private let clock: () -> BootInstant
  private var kept: CachedChannel<IIOChannel>

  /// - Parameters:
  ///   - root: where sysfs is.
  ///   - devices: where device nodes are.
  public init(
    _ settings: MonitorSettings, root: String = "/sys", devices: String = "/dev",
    clock: (() -> BootInstant)? = nil
  ) {
    self.settings = settings
    self.root = root
    self.devices = devices
    self.clock = clock ?? { BootClock.now }
    kept = CachedChannel(window: settings.chip.facts.window)
  }

  public var name: String { name(with: kept.channel?.device) }

  private func name(with device: ChipDevice?) -> String {
    device?.description ?? "\(settings.chipText) under ina2xx-adc"
  }

  public var window: Seconds { kept.window }

  public func read() throws(PortError) -> PowerReading {
    try kept.read(clock: clock, name: name(with:)) {
      () throws(PortError) in
      try IIODevice.find(settings, below: root)
    } open: { device throws(AttributeFault) in
      try IIOChannel(device, settings)
    }
  }

  /// Nil if the device has no buffer.
  public func trace() throws(PortError) -> (any PowerTrace)? {
    let device = try IIODevice.find(settings, below: root)
    do throws(AttributeFault) {
      guard try AttributeFile.ifPresent(device.folder + "/buffer/enable") != nil else { return nil }
      let channel = try IIOChannel(device, settings)
      return try IIOTrace(
        device, node: "\(devices)/\(device.number)",
        scales: (shunt: channel.shuntScale, bus: channel.busScale), settings)
    } catch {
      throw error.failure(of: name)
    }
  }
}

/// The open files of a monitor under ina2xx-adc, with their scales.
struct IIOChannel: DriverChannel {
  let device: ChipDevice
  let window: Seconds
  /// Millivolts per step.
  let shuntScale: Double
  let busScale: Double
  private let shunt: AttributeFile
  private let bus: AttributeFile
  private let settings: MonitorSettings

  init(_ device: ChipDevice, _ settings: MonitorSettings) throws(AttributeFault) {
    self.device = device
    self.settings = settings
    let folder = device.folder + "/"
    let frequency = try AttributeFile.number(at: folder + "in_sampling_frequency") ?? 0
    shunt = try AttributeFile(folder + "in_voltage0_raw")
    shuntScale = try AttributeFile(folder + "in_voltage0_scale").number()
    bus = try AttributeFile(folder + "in_voltage1_raw")
    busScale = try AttributeFile(folder + "in_voltage1_scale").number()
    window = frequency > 0 ? Seconds(min(1 / frequency, 60)) : settings.chip.facts.window
  }

  func read(clock: () -> BootInstant) throws(AttributeFault) -> PowerReading {
    let before = clock()
    let shunt = Volts(try shunt.number() * shuntScale * 1e-3)
    let bus = Volts(try bus.number() * busScale * 1e-3)
    return PowerReading(
      taken: BootInstant.middle(before, clock()), current: shunt / settings.shunt, voltage: bus,
      accuracy: settings.accuracy())
  }
}
