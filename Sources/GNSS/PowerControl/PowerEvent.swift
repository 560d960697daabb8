import Records
import Core

/// What happens to a `PowerSequencer`.
public enum PowerEvent: Sendable {
  /// - until: when the receiver will be wanted again, as far as is known, for sleep methods that
  ///   need a time.
  case want(PowerState, until: BootInstant?)
  /// When the receiver will be wanted again has changed.
  case expect(until: BootInstant?)
  /// Assistance data for the receiver's next start, if it has lost its own; replaces earlier data.
  case assist(AssistanceData)
  /// Make the receiver forget, as soon as it can take commands.
  case restart(RestartKind)
  /// Whether the receiver's line is open. Where it is not, silence proves nothing.
  case listening(Bool)
  /// Receiver output has arrived.
  ///
  /// - validFrames: how many frames in it had a valid checksum. Zero still shows life, but perhaps
  ///   the speed is wrong.
  /// - lacksSignals: whether it has to be told to tell of signals.
  case received(validFrames: Int, lacksSignals: Bool = false)
  case answer(ReceiverAnswer)
  /// What has just been sent has not left the board.
  case unsent(reason: String)
  /// A line could not be set; the rest of the actions were not performed.
  case lineFailed(PowerLine, reason: String)
  case timePassed
  /// The daemon ends: there is no time to wait for anything.
  case leave
}

/// What a `PowerSequencer` wants done, in this order. When a line cannot be set, the rest is not
/// done, and the sequencer is informed.
public enum PowerAction: Hashable, Sendable {
  case set(PowerLine, active: Bool)
  case openReceiver
  /// Discard what has arrived and was not read.
  case discardInput
  case send([UInt8])
  case closeReceiver
  /// The requested state was reached.
  case reached(PowerState)
  /// The requested state could not be reached: what happened, and what to do next.
  case failed(reason: String)
  /// The receiver does not start again as it was told to.
  case restartFailed(reason: String)
  /// The receiver obeys no sleep command.
  case sleepUnavailable(reason: String)
  case identified(ReceiverIdentity)
  /// `PowerSequencer.capabilities` has changed.
  case capabilitiesChanged
  case log(LogEvent)
}
