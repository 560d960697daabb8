import Core
import Runtime

extension TrackerRuntime {
  /// The receiver may have said something.
  func receiverIsReadable(at now: BootInstant) { serve(receiver, at: now, isReady: true) }
}
