import Core
import Runtime

extension TrackerRuntime {
  /// The receiver may have sent data.
  func receiverIsReadable(at now: BootInstant) { serve(receiver, at: now, isReady: true) }
}
