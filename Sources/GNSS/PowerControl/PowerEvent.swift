import Records
import Core

/// An input of a `PowerSequencer`.
public enum PowerEvent: Sendable {
  /// - until: when the receiver will be needed again, if known, for sleep methods that need a time.
  case request(PowerState, until: BootInstant?)
  /// The time at which the receiver will be needed again has changed.
  case expect(until: BootInstant?)
  /// Assistance data for the receiver's next start, if it has lost its own; replaces earlier data.
  case assist(AssistanceData)
  /// Restart the receiver and erase its data, as soon as it accepts commands.
  case restart(RestartKind)
  /// Whether the receiver's line is open. While it is closed, silence proves nothing.
  case listening(Bool)
  /// Receiver output has arrived.
  ///
  /// - validFrames: the number of frames with a valid checksum. Zero still proves that the receiver
  ///   is alive, but the speed may be wrong.
  /// - lacksSignals: whether signal reports still have to be enabled.
  case received(validFrames: Int, lacksSignals: Bool = false)
  case answer(ReceiverAnswer)
  /// The last data could not be sent.
  case unsent(reason: String)
  /// A line could not be set; the remaining actions were not performed.
  case lineFailed(PowerLine, reason: String)
  case timePassed
  /// The daemon ends: nothing can be waited for.
  case leave
}

/// An output of a `PowerSequencer`. Actions are performed in order. If a line cannot be set, the
/// rest is skipped, and the sequencer is informed.
public enum PowerAction: Hashable, Sendable {
  case set(PowerLine, active: Bool)
  case openReceiver
  /// Discard unread input.
  case discardInput
  case send([UInt8])
  case closeReceiver
  /// The requested state was reached.
  case reached(PowerState)
  /// The requested state could not be reached: the cause, and the remedy.
  case failed(reason: String)
  /// The receiver did not restart as commanded.
  case restartFailed(reason: String)
  /// The receiver does not accept any sleep command.
  case sleepUnavailable(reason: String)
  case identified(ReceiverIdentity)
  /// `PowerSequencer.capabilities` has changed.
  case capabilitiesChanged
  case log(LogEvent)
}
