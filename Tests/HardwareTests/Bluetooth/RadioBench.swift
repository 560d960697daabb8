import RadioSignals
import BusStandIns
import Ports

/// Serves a radio as the loop does.
typealias RadioBench = PortBench<any BeaconRadioPort, BeaconRadioEvent>

extension PortBench where Port == any BeaconRadioPort, News == BeaconRadioEvent {
  init(radio: any BeaconRadioPort, clock: TestClock) {
    self.init(radio, events: radio, clock: clock, take: radio.next)
  }
}
