import Energy
import Quantities

/// The open files of a monitor under ina2xx-adc, with their scales.
struct IIOChannel: DriverChannel {
  let device: ChipDevice
  let window: Seconds
  /// Millivolts a step.
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
      taken: SystemClock.middle(before, clock()), current: shunt / settings.shunt, voltage: bus,
      accuracy: settings.accuracy())
  }
}
