import Records
import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// A monitor chip without a kernel driver, read through /dev/i2c-N. Its identity is checked before
/// anything is written: another device may be at a wrong address.
public final class RawMonitor: PowerMonitorPort {
  typealias Opening = () throws(RegisterFault) -> any RegisterBus

  private let settings: MonitorSettings
  private let registers: MonitorRegisters?
  private let open: Opening
  private let clock: () -> BootInstant
  private let wait: (Seconds) -> Void
  private var bus: (any RegisterBus)?
  private var interval: ReadingInterval

  public convenience init(_ settings: MonitorSettings) {
    self.init(
      settings, clock: { BootClock.now },
      wait: { BootClock.wait(until: BootClock.now + min($0, 0.5)) }
    ) {
      () throws(RegisterFault) in
      try I2CDevice(bus: settings.bus ?? 1, address: settings.address ?? 0x40)
    }
  }

  /// - Parameter wait: called once after the chip was configured, to wait for its first value.
  init(
    _ settings: MonitorSettings, clock: @escaping () -> BootInstant,
    wait: @escaping (Seconds) -> Void, open: @escaping Opening
  ) {
    self.settings = settings
    self.open = open
    self.clock = clock
    self.wait = wait
    registers = MonitorRegisters(settings.chip, channel: settings.channel)
    interval = ReadingInterval(window: registers?.window ?? settings.chip.facts.window)
  }

  public var name: String {
    let device = "\(settings.chip.rawValue) at \(BusAddress.text(settings.address ?? 0x40)) on i2c-"
    let channel = settings.chip.channels > 1 ? " channel \(settings.channel)" : ""
    return device + "\(settings.bus ?? 1)" + channel
  }

  public var window: Seconds { interval.window }

  public func read() throws(PortError) -> PowerReading {
    guard let registers else {
      throw PortError(
        "\(settings.chip.rawValue) (power_monitor.chip) is read through its kernel driver only; "
          + "use power_monitor.kind = \"hwmon\"")
    }
    if bus != nil, let repeated = interval.repeated(at: clock()) { return repeated }
    do throws(RawFault) {
      if let bus { return try take(bus, registers) }
      let opened = try opened(registers)
      bus = opened
      return try take(opened, registers)
    } catch {
      bus = nil
      throw PortError("power monitor \(name): \(error.message(settings))")
    }
  }

  private func opened(_ registers: MonitorRegisters) throws(RawFault) -> any RegisterBus {
    let bus = try RawFault.naming { () throws(RegisterFault) in try open() }
    for identity in registers.identities {
      let word = try word(identity.address, on: bus)
      guard identity.words.contains(word & identity.mask) else {
        throw .unexpected(identity, word)
      }
    }
    var isSetUp = true
    for setup in registers.setup where try word(setup.address, on: bus) != setup.word {
      try RawFault.naming { () throws(RegisterFault) in
        try bus.write(setup.address, word: setup.word)
      }
      isSetUp = false
    }
    // Values converted before the configuration are not valid.
    if !isSetUp { wait(registers.window * 1.1) }
    return bus
  }

  private func take(
    _ bus: any RegisterBus, _ registers: MonitorRegisters
  ) throws(RawFault) -> PowerReading {
    let before = clock()
    let current = registers.current(try bytes(registers.shunt, on: bus), shunt: settings.shunt)
    let voltage = registers.voltage(try bytes(registers.bus, on: bus))
    let taken = BootInstant.middle(before, clock())
    var reading = PowerReading(
      taken: taken, current: current, voltage: voltage, accuracy: settings.accuracy())
    if let register = registers.energy {
      reading.accumulatedEnergy = registers.accumulatedEnergy(
        try bytes(register, on: bus), shunt: settings.shunt)
    }
    if let register = registers.charge {
      reading.accumulatedCharge = registers.accumulatedCharge(
        try bytes(register, on: bus), shunt: settings.shunt)
    }
    interval.record(reading, at: taken)
    return reading
  }

  private func word(_ register: UInt8, on bus: any RegisterBus) throws(RawFault) -> UInt16 {
    let bytes = try bytes(.init(address: register, bytes: 2), on: bus)
    return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  }

  private func bytes(
    _ register: MonitorRegisters.Register, on bus: any RegisterBus
  ) throws(RawFault) -> [UInt8] {
    let bytes = try RawFault.naming { () throws(RegisterFault) in
      try bus.read(register.address, bytes: register.bytes)
    }
    guard bytes.count == register.bytes else {
      throw .register(RegisterFault("read register \(register.address)", code: EPROTO))
    }
    return bytes
  }
}

/// Why a chip cannot be read through its registers.
enum RawFault: Error, Equatable {
  case register(RegisterFault)
  /// A register does not contain the value required for this chip.
  case unexpected(MonitorRegisters.Identity, UInt16)

  static func naming<Value>(
    _ body: () throws(RegisterFault) -> Value
  ) throws(RawFault) -> Value {
    do {
      return try body()
    } catch {
      throw .register(error)
    }
  }

  func message(_ settings: MonitorSettings) -> String {
    switch self {
    case .unexpected(let identity, let word):
      let wanted = identity.words.map(Self.hexadecimal).joined(separator: " or ")
      let otherwise =
        identity.isSetByOthers
        ? ", or another program has configured it, which lasts until its supply is cut" : ""
      return
        "its register \(BusAddress.text(Int(identity.address))) (\(identity.meaning)) contains "
        + "\(Self.hexadecimal(word)), not \(wanted): another chip answers there\(otherwise); check "
        + "power_monitor.chip and power_monitor.address"
    case .register(let fault):
      return "cannot \(fault.attempt): \(SystemError(code: fault.code).text)"
        + Self.advice(fault.code, settings, isOpening: fault.attempt.hasPrefix("open"))
    }
  }

  private static func advice(
    _ code: Int32, _ settings: MonitorSettings, isOpening: Bool
  ) -> String {
    let bus = settings.bus ?? 1
    switch code {
    case EBUSY:
      return "; a kernel driver has this chip: use power_monitor.kind = \"hwmon\" (or \"iio\")"
    case ENOENT where isOpening, ENODEV where isOpening, ENXIO where isOpening:
      return "; there is no bus \(bus) (power_monitor.bus): switch I2C on (raspi-config, or "
        + "dtparam=i2c_arm=on) and load i2c-dev"
    case EREMOTEIO, EIO, ENXIO, ENODEV, ETIMEDOUT, EAGAIN:
      return "; nothing answers at \(BusAddress.text(settings.address ?? 0x40)) "
        + "(power_monitor.address): i2cdetect -y \(bus) shows which do. The monitor's own supply "
        + "must not be the switched one"
    case EACCES, EPERM: return "; add the service's user to the group i2c"
    case EOPNOTSUPP, EPROTO:
      return "; this bus cannot do the transfer: use power_monitor.kind = \"hwmon\""
    default: return ""
    }
  }

  private static func hexadecimal(_ word: UInt16) -> String {
    let digits = String(word, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
