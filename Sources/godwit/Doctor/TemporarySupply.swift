import Core
import GNSS
import GodwitSettings
import Platform
import Ports

/// Powers the receiver for the length of one examination, without the daemon, and restores its
/// supply afterwards.
struct TemporarySupply {
  private let powerSwitch: any PowerSwitchPort
  private let found: FoundReceiver
  private let settle: Seconds

  /// Nil: no line of this board switches the receiver's supply.
  init?(_ settings: PowerSwitchSettings) throws(PortError) {
    let settings = SwitchTrial.leaving(settings)
    guard settings.lines[.supply] != nil,
      let powerSwitch = ConfiguredDevices.powerSwitch(settings)
    else { return nil }
    try powerSwitch.acquire()
    self.powerSwitch = powerSwitch
    settle = settings.powerOnDelay
    found = FoundReceiver(isSupplied: powerSwitch.isActive(.supply), hadOutput: false)
    do {
      try powerSwitch.powerUp(settle: settle)
    } catch {
      try? end()
      throw error
    }
  }

  /// Restores the lines and releases them.
  func end() throws(PortError) {
    let restored = Result { () throws(PortError) in
      try found.restore(powerSwitch, settle: settle)
    }
    try powerSwitch.close()
    try restored.get()
  }
}

extension PowerSwitchPort {
  /// Powers the receiver without opening its serial line.
  /// - Parameters:
  ///   - settle: from switching its supply on until its pins may be driven.
  ///   - wait: waits for that time.
  func powerUp(
    settle: Seconds, wait: (Seconds) -> Void = { BootClock.wait(until: BootClock.now + $0) }
  ) throws(PortError) {
    let order = PowerLineSequence(lines)
    for level in order.supply { try set(level.line, active: level.isActive) }
    wait(settle)
    for level in order.connect { try set(level.line, active: level.isActive) }
  }

  func cutPower() throws(PortError) {
    for level in PowerLineSequence(lines).cut { try set(level.line, active: level.isActive) }
  }
}
