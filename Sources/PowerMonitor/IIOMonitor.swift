import Energy
import Ports
import Quantities

/// A monitor chip under the kernel's IIO driver ina2xx-adc. Current comes from the shunt's own
/// voltage (in_voltage0), which depends on nobody's idea of the shunt.
public final class IIOMonitor: PowerMonitorPort {
  private let settings: MonitorSettings
  private let root: String
  private let devices: String
  private let clock: () -> BootInstant
  private var kept: KeptChannel<IIOChannel>

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
    self.clock = clock ?? { SystemClock.now }
    kept = KeptChannel(window: settings.chip.facts.window)
  }

  public var name: String { name(with: kept.channel?.device) }

  private func name(with device: ChipDevice?) -> String {
    device?.description ?? "\(settings.place) under ina2xx-adc"
  }

  public var window: Seconds { kept.window }

  public func read() throws(PowerMonitorError) -> PowerReading {
    try kept.read(clock: clock, name: name(with:)) {
      () throws(PowerMonitorError) in
      try IIODevice.find(settings, below: root)
    } open: { device throws(AttributeFault) in
      try IIOChannel(device, settings)
    }
  }

  /// Nil without a buffer to read from.
  public func trace() throws(PowerMonitorError) -> (any PowerTrace)? {
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
