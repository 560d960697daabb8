import Glibc
import GodwitSettings
import Core
import Platform
import Ports
import GNSS
import Runtime

/// Tests the power switch: the receiver is switched on until it sends, and off to check that its
/// bytes stop and its current falls. The daemon's own runtime performs this, with the same sequence
/// and pauses; only for the examination in between is the receiver powered without it, so that its
/// line is free. In any case the receiver is restored to the state in which it was found.
struct SwitchTrial {
  /// A connected receiver has sent something by then, even after a recovery by reset and power
  /// cycle.
  private static let outputTimeout = Seconds(45)
  /// Includes saving the navigation data.
  private static let fallsSilentWithin = Seconds(20)
  /// More than two epochs at 1 Hz.
  private static let silence = Seconds(3)

  private let settings: Settings
  private let devices: Devices
  private(set) var findings: [Finding] = []
  /// Nil: nothing was changed yet.
  private var found: FoundReceiver?

  init(_ settings: Settings) {
    var settings = Self.cutting(settings)
    settings.powerSwitch = Self.leaving(settings.powerSwitch)
    self.settings = settings
    devices = Devices(
      receiver: ConfiguredDevices.receiver(settings.receiver, losesPower: true),
      powerSwitch: ConfiguredDevices.powerSwitch(settings.powerSwitch),
      monitor: ConfiguredDevices.monitor(settings))
  }

  /// A receiver that went to sleep would be silent, too, and prove nothing about the switch.
  static func cutting(_ settings: Settings) -> Settings {
    var settings = settings
    if settings.powerSwitch.lines[.supply] != nil { settings.powerSwitch.sleepCommand = .none }
    return settings
  }

  /// Lines are requested and released at their present levels.
  static func leaving(_ settings: PowerSwitchSettings) -> PowerSwitchSettings {
    var settings = settings
    settings.onStart = .keep
    settings.onExit = .keep
    return settings
  }

  /// - Parameter examine: checks the powered receiver, and returns whether anything was received.
  mutating func perform(examine: () -> Bool, progress: (String) -> Void) {
    guard settings.powerSwitch.isReal else {
      findings = [.warn("switch", "power_switch.kind is none: there is nothing to switch")]
      return
    }
    guard devices.receiver != nil else {
      findings = [
        .warn("switch", "receiver.kind is none: the effect of the switch cannot be checked")
      ]
      return
    }
    attempt { trial throws in
      try trial.devices.powerSwitch?.acquire()
      // The kernel switches a GNSS device with every use, and leaves it off.
      let isLines = trial.settings.powerSwitch.kind != .gnss
      let isSupplied = trial.devices.powerSwitch?.isActive(.supply)
      trial.found = isLines ? FoundReceiver(isSupplied: isSupplied, hadOutput: false) : nil
      try trial.devices.powerSwitch?.powerUp(settle: trial.settings.powerSwitch.powerOnDelay)
      let isReceived = examine()
      trial.found = isLines ? FoundReceiver(isSupplied: isSupplied, hadOutput: isReceived) : nil
      try trial.tryBothWays(progress)
    }
    attempt { trial throws in
      guard let found = trial.found else { return }
      if let powerSwitch = trial.devices.powerSwitch {
        try found.restore(powerSwitch, settle: trial.settings.powerSwitch.powerOnDelay)
      }
      trial.findings.append(found.finding)
    }
    attempt { trial throws in try trial.devices.powerSwitch?.close() }
  }

  private mutating func attempt(_ body: (inout SwitchTrial) throws -> Void) {
    do {
      try body(&self)
    } catch let error as PortError {
      findings.append(.fail("switch.line", error.message))
    } catch {
      findings.append(.fail("switch.receiver", "\(error)"))
    }
  }

  private var name: String { devices.powerSwitch?.name ?? "the receiver's own switch" }

  private mutating func tryBothWays(_ progress: (String) -> Void) throws {
    let runtime = try Composition(settings: settings, world: .live).runtime(
      devices: devices, policy: .continuous, at: BootClock.now)
    progress("switching the receiver on, at most \(Int(Self.outputTimeout.value)) s ...")
    let loop = TrialLoop(runtime)
    runtime.start(restoring: nil, at: BootClock.now)
    let start = BootClock.now
    let spoke = loop.run(for: Self.outputTimeout) {
      runtime.receiver.bytesRead > 0 || Interruption.isWanted
    }
    let after = Int((BootClock.now - start).value.rounded())
    evaluateSwitchOn(runtime, spoke: spoke, after: after)
    // Acquisition draws the most, and has surely begun shortly after the first bytes.
    if spoke { _ = loop.run(for: 2) { Interruption.isWanted } }
    let on = current()
    progress("switching it off ...")
    runtime.command(.gnss(.off), at: BootClock.now)
    let isOff = loop.run(for: Self.fallsSilentWithin) {
      runtime.power.sequencer.receiver.isAtRest || Interruption.isWanted
    }
    if isOff, runtime.power.failure == nil {
      if spoke { findings.append(silenceFinding()) }
      evaluateCurrentDrop(on: on, off: current())
    } else {
      findings.append(
        .fail("switch.off", runtime.power.failure ?? "\(name) did not switch it off in time"))
    }
    if found?.isToBeWoken == true {
      let before = runtime.receiver.bytesRead
      runtime.command(.gnss(.on), at: BootClock.now)
      _ = loop.run(for: Self.outputTimeout) {
        runtime.receiver.bytesRead > before || Interruption.isWanted
      }
    }
    runtime.stop(at: BootClock.now)
  }

  private mutating func evaluateSwitchOn(_ runtime: TrackerRuntime, spoke: Bool, after seconds: Int)
  {
    if let failure = runtime.power.failure {
      findings.append(.fail("switch.on", failure))
    } else if spoke {
      findings.append(.ok("switch.on", "the receiver answered \(seconds) s after \(name) went on"))
    } else {
      findings.append(
        .fail(
          "switch.on",
          runtime.receiver.failure
            ?? "nothing arrived within \(seconds) s of switching \(name) on: check the line "
            + "(power_switch.supply), its polarity (active-low), its wiring, and receiver.device"))
    }
  }

  /// The line was closed with the power, so it is opened again to check that nothing arrives.
  private func silenceFinding() -> Finding {
    let part = "switch.off"
    guard settings.receiver.kind == .serial,
      let port = ConfiguredDevices.receiver(settings.receiver)
    else { return .ok(part, "\(name) is off") }
    defer { port.close() }
    var reader = ReceiverReader(port, settings.receiver)
    do throws(PortError) {
      try port.open()
      // Bytes still buffered by the kernel do not count.
      port.discardInput()
      let end = BootClock.now + Self.silence
      while BootClock.now < end, !Interruption.isWanted { _ = try reader.read(until: end) }
    } catch {
      // A USB receiver disappears with its power.
      return .ok(part, "\(name) is off, and its device has disappeared")
    }
    guard reader.decoder.counters.bytes > 0 else {
      return .ok(part, "the receiver is silent while \(name) is off")
    }
    return .fail(
      part,
      "\(Counted.text(reader.decoder.counters.bytes, "byte")) still arrived while "
        + "\(name) was off: it does not "
        + "switch the receiver's supply (power_switch.supply, active-low?), or the module is "
        + "powered through its serial pins (power_switch.uart)")
  }

  private func current() -> Result<MeanCurrent, PortError>? {
    devices.monitor.map { monitor in
      Result { () throws(PortError) in try MeanCurrent.measure(by: monitor, for: 2) }
    }
  }

  private mutating func evaluateCurrentDrop(
    on: Result<MeanCurrent, PortError>?, off: Result<MeanCurrent, PortError>?
  ) {
    switch (on, off) {
    case (.success(let on)?, .success(let off)?):
      findings.append(Self.fall(from: on, to: off))
      if let finding = Self.shunt(on, expected: settings.gnss.acquiring) {
        findings.append(finding)
      }
    case (.failure(let error)?, _), (_, .failure(let error)?):
      findings.append(.fail("switch.current", error.message))
    default: return
    }
  }

  static func fall(from on: MeanCurrent, to off: MeanCurrent) -> Finding {
    let part = "switch.current"
    let figures = "\(on.text) on, \(off.text) off"
    guard on.value - off.value > (on.uncertainty + off.uncertainty) else {
      return .fail(
        part,
        "the current does not fall: \(figures). Either the switch does not switch the supply, or "
          + "the monitor is not in the receiver's rail")
    }
    return .ok(part, "the current falls: \(figures)")
  }

  /// A driver that assumes a wrong shunt reads ten or forty times too much.
  static func shunt(_ on: MeanCurrent, expected: Amperes) -> Finding? {
    guard expected > 0, !on.isBelowFloor else { return nil }
    let ratio = on.value / expected
    guard ratio > 4 || ratio < 0.25 else { return nil }
    return .warn(
      "monitor.shunt",
      "\(on.text) is \(ratio > 1 ? "far more" : "far less") than gnss.acquiring_mA = "
        + "\(Int((expected.value * 1000).rounded())): check power_monitor.shunt_mOhm against the "
        + "print on the shunt (R100 is 100 mOhm)")
  }
}
