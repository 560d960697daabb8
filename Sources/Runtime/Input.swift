import GNSS
import Tracking

/// What somebody has to say: to the tracker, or to the power sequencer.
public enum Input: Sendable {
  case tracker(Event)
  case power(PowerEvent)

  var isFix: Bool { if case .tracker(.fix) = self { true } else { false } }
}
