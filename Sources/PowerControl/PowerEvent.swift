import Energy
import Quantities
import ReceiverProtocols
import Records

/// What happens to a `PowerSequencer`.
public enum PowerEvent: Sendable {
  /// - until: when the receiver will be wanted again, as far as is known; a sleep that needs a time
  ///   is given it.
  case want(PowerState, until: BootInstant?)
  /// When the receiver will be wanted again has changed.
  case expect(until: BootInstant?)
  /// What the receiver is told at its next start, if it has lost it; replaces what was known
  /// before.
  case assist(AssistanceData)
  /// Tell the receiver to forget, as soon as it can be told.
  case restart(RestartKind)
  /// Whether the receiver's line is open. Where it is not, silence tells nothing.
  case listening(Bool)
  /// Receiver output has arrived: how many frames in it had a good checksum. None shows life, but
  /// not that its speed is known.
  case heard(validFrames: Int)
  case answer(ReceiverAnswer)
  /// A line could not be set; the rest of the actions were not performed.
  case lineFailed(PowerLine, reason: String)
  case timePassed
  /// The daemon ends: nothing can be waited for any more.
  case leave
}

/// What shortens a search after a cut: the time, and about where the receiver is.
public struct AssistanceData: Hashable, Sendable {
  /// The moment on the board's clock for which `time` holds.
  public var taken: BootInstant
  public var time: UTCInstant
  public var timeAccuracy: Seconds
  public var position: Coordinate?
  public var positionAccuracy: Metres
  /// Above mean sea level. Where it is nil, receivers are told 0 m: let `positionAccuracy` allow
  /// for that.
  public var altitude: Metres?

  public init(
    taken: BootInstant, time: UTCInstant, timeAccuracy: Seconds, position: Coordinate? = nil,
    positionAccuracy: Metres = 0, altitude: Metres? = nil
  ) {
    self.taken = taken
    self.time = time
    self.timeAccuracy = timeAccuracy
    self.position = position
    self.positionAccuracy = positionAccuracy
    self.altitude = altitude
  }
}

/// What a `PowerSequencer` wants done, in this order. When a line cannot be set, the rest is not
/// done, and the sequencer hears of it.
public enum PowerAction: Hashable, Sendable {
  case set(PowerLine, active: Bool)
  case openReceiver
  /// Forget what has arrived and was not read.
  case discardInput
  case send([UInt8])
  case closeReceiver
  /// What was wanted is the case now.
  case reached(PowerState)
  /// What was wanted could not be had: what happened, and what to do next.
  case failed(reason: String)
  /// It does not obey any sleep command.
  case sleepUnavailable(reason: String)
  case identified(ReceiverIdentity)
  /// `PowerSequencer.means` is not what it was.
  case meansChanged
  case note(Note)
}

/// One step of a `PowerSequencer`: its moment, and what it wants done, in this order.
struct Turn {
  let now: BootInstant
  private(set) var actions: [PowerAction] = []

  init(at now: BootInstant) { self.now = now }

  mutating func add(_ action: PowerAction) { actions.append(action) }

  mutating func set(_ levels: [PowerLineOrder.Level]) {
    actions += levels.map { .set($0.line, active: $0.isActive) }
  }

  mutating func send(_ orders: [[UInt8]]) { actions += orders.map(PowerAction.send) }

  mutating func note(_ kind: String, _ reason: String) {
    actions.append(.note(Note(kind, reason, level: .warning)))
  }
}
