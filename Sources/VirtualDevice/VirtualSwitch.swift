import Ports
import PowerControl

/// The virtual board's power switch. It acts at once, and counts.
public final class VirtualSwitch: PowerSwitchPort {
  public let name = "virtual switch"
  public let lines: Set<PowerLine> = [.supply]
  public private(set) var isOn = false
  public private(set) var switchings = 0
  private let receiver: VirtualReceiver

  init(receiver: VirtualReceiver) { self.receiver = receiver }

  public func set(_ line: PowerLine, active: Bool) throws(PowerSwitchError) {
    guard lines.contains(line) else {
      throw PowerSwitchError("the virtual switch has no \(line.rawValue) line")
    }
    guard active != isOn else { return }
    isOn = active
    switchings += 1
    receiver.power(active ? .on : .off)
  }
}
