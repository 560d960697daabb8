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
  private var channel: Channel?
  private var pace: ReadingPace

  private struct Channel {
    let device: ChipDevice
    let shunt: AttributeFile
    /// Millivolts a step.
    let shuntScale: Double
    let bus: AttributeFile
    let busScale: Double
    let window: Seconds
  }

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
    pace = ReadingPace(window: settings.chip.facts.window)
  }

  public var name: String { channel?.device.description ?? "\(settings.place) under ina2xx-adc" }
  public var window: Seconds { pace.window }

  public func read() throws(PowerMonitorError) -> PowerReading {
    if let channel {
      if let repeated = pace.repeated(at: clock()) { return repeated }
      do throws(AttributeFault) {
        return try take(channel)
      } catch {
        let failure = failure(error)
        self.channel = nil
        guard error.isGone else { throw failure }
      }
    }
    let device = try IIODevice.find(settings, below: root)
    do throws(AttributeFault) {
      let opened = try open(device)
      pace = ReadingPace(window: opened.window)
      let reading = try take(opened)
      channel = opened
      return reading
    } catch {
      throw failure(error)
    }
  }

  private func open(_ device: ChipDevice) throws(AttributeFault) -> Channel {
    let folder = device.folder + "/"
    let frequency = try AttributeFile.number(at: folder + "in_sampling_frequency") ?? 0
    return Channel(
      device: device, shunt: try AttributeFile(folder + "in_voltage0_raw"),
      shuntScale: try AttributeFile(folder + "in_voltage0_scale").number(),
      bus: try AttributeFile(folder + "in_voltage1_raw"),
      busScale: try AttributeFile(folder + "in_voltage1_scale").number(),
      window: frequency > 0 ? Seconds(min(1 / frequency, 60)) : settings.chip.facts.window)
  }

  private func take(_ channel: Channel) throws(AttributeFault) -> PowerReading {
    let before = clock()
    let shunt = Volts(try channel.shunt.number() * channel.shuntScale * 1e-3)
    let bus = Volts(try channel.bus.number() * channel.busScale * 1e-3)
    let reading = PowerReading(
      taken: SystemClock.middle(before, clock()), current: shunt / settings.shunt, voltage: bus,
      accuracy: settings.accuracy())
    pace.note(reading, at: reading.taken)
    return reading
  }

  /// Nil without a buffer to read from.
  public func trace() throws(PowerMonitorError) -> (any PowerTrace)? {
    let device = try IIODevice.find(settings, below: root)
    do throws(AttributeFault) {
      guard try AttributeFile.ifPresent(device.folder + "/buffer/enable") != nil else { return nil }
      let channel = try open(device)
      return try IIOTrace(
        device, node: "\(devices)/\(device.number)",
        scales: (shunt: channel.shuntScale, bus: channel.busScale), settings)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ fault: AttributeFault) -> PowerMonitorError {
    PowerMonitorError("power monitor \(name): \(fault.message)\(fault.advice)")
  }
}
