import Platform
import Ports
import GNSS
import Core

/// How a trial found the receiver, so that it leaves it like that.
struct FoundReceiver {
  /// Whether its supply was on; nil where no line switches it.
  let isSupplied: Bool?
  /// Whether it sent anything before it was switched, woken or told anything.
  let wasHeard: Bool

  /// Without a supply line a receiver that was silent is left asleep, where the trial ends.
  var isToBeWoken: Bool { isSupplied == nil && wasHeard }

  /// Sets its lines as they were.
  /// - Parameters:
  ///   - settle: from switching its supply on until its pins may be driven.
  ///   - wait: lets that time pass.
  func restore(
    _ powerSwitch: any PowerSwitchPort, settle: Seconds,
    wait: (Seconds) -> Void = { BootClock.wait(until: BootClock.now + $0) }
  ) throws(PortError) {
    guard let isSupplied else { return }
    let order = PowerLineOrder(powerSwitch.lines)
    guard isSupplied else {
      for level in order.cut { try powerSwitch.set(level.line, active: level.isActive) }
      return
    }
    for level in order.supply { try powerSwitch.set(level.line, active: level.isActive) }
    wait(settle)
    for level in order.connect { try powerSwitch.set(level.line, active: level.isActive) }
  }

  /// What is left behind; nil where nothing could be found out.
  var finding: Finding {
    let part = "switch.left"
    switch (isSupplied, wasHeard) {
    case (true?, _): return .ok(part, "the receiver's supply is left on, as it was found")
    case (false?, _): return .ok(part, "the receiver's supply is left off, as it was found")
    case (nil, true): return .ok(part, "the receiver is left awake, as it was found")
    case (nil, false):
      return .ok(part, "the receiver is left asleep: it was silent before, so it may have been")
    }
  }
}
