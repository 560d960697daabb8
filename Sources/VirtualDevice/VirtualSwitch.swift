import Ports
import Tracking

/// The virtual board's power switch. It does at once what it is told, and counts.
public final class VirtualSwitch: PowerSwitchPort {
  public let name = "virtual switch"
  public private(set) var state = PowerState.off
  public private(set) var switchings = 0
  private let receiver: VirtualReceiver

  init(receiver: VirtualReceiver) { self.receiver = receiver }

  public func set(_ state: PowerState) throws(PowerSwitchError) {
    guard state != self.state else { return }
    self.state = state
    switchings += 1
    receiver.power(state)
  }
}
