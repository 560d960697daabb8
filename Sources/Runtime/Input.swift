import GNSS
import Tracking

/// An input for the tracker or for the power sequencer.
public enum Input: Sendable {
  case tracker(Event)
  case power(PowerEvent)

  var isFix: Bool { if case .tracker(.fix) = self { true } else { false } }
}
