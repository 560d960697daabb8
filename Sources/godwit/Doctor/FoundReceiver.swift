import Platform
import Ports
import GNSS
import Core

/// How a trial found the receiver, so that it can be restored.
struct FoundReceiver {
  /// Whether its supply was on; nil if no line switches it.
  let isSupplied: Bool?
  /// Whether it sent anything before the trial changed or sent anything.
  let hadOutput: Bool

  /// Without a supply line, a receiver that was silent is left asleep, the final state of the
  /// trial.
  var isToBeWoken: Bool { isSupplied == nil && hadOutput }

  /// Restores its lines.
  /// - Parameters:
  ///   - settle: from switching its supply on until its pins may be driven.
  ///   - wait: waits for that time.
  func restore(
    _ powerSwitch: any PowerSwitchPort, settle: Seconds,
    wait: (Seconds) -> Void = { BootClock.wait(until: BootClock.now + $0) }
  ) throws(PortError) {
    guard let isSupplied else { return }
    if isSupplied {
      try powerSwitch.powerUp(settle: settle, wait: wait)
    } else {
      try powerSwitch.cutPower()
    }
  }

  /// The state in which the receiver is left.
  var finding: Finding {
    let part = "switch.left"
    switch (isSupplied, hadOutput) {
    case (true?, _): return .ok(part, "the receiver's supply is on again, as before")
    case (false?, _): return .ok(part, "the receiver's supply is off again, as before")
    case (nil, true): return .ok(part, "the receiver is awake again, as before")
    case (nil, false):
      return .ok(part, "the receiver is asleep: it was silent before, so it may have been asleep")
    }
  }
}
