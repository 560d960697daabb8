import Quantities
import Runtime

extension Conductor {
  /// The receiver may have said something.
  func receiverIsReadable(at now: BootInstant) { serve(receiver, at: now, isReady: true) }
}
