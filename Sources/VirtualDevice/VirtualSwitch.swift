import Ports
import GNSS

/// The virtual board's power switch. It acts at once, and counts the switchings of the supply.
public final class VirtualSwitch: PowerSwitchPort {
  public let name = "virtual switch"
  public let lines: Set<PowerLine>
  private(set) var isOn = false
  private(set) var switchings = 0
  private let receiver: VirtualReceiver

  init(receiver: VirtualReceiver, lines: Set<PowerLine> = [.supply]) {
    self.receiver = receiver
    self.lines = lines
  }

  public func set(_ line: PowerLine, active: Bool) throws(PortError) {
    guard lines.contains(line) else {
      throw PortError("the virtual switch has no \(line.rawValue) line")
    }
    switch line {
    case .supply: setSupply(active)
    case .wake: if active, receiver.gnssState == .sleeping { receiver.power(.on) }
    // Its backup supply is permanent, it sends as long as it has power, and never hangs.
    case .backup, .uart, .reset: break
    }
  }

  private func setSupply(_ active: Bool) {
    guard active != isOn else { return }
    isOn = active
    switchings += 1
    receiver.power(active ? .on : .off)
  }
}
