import Records
import Ports
import GNSS
import Core
import Tracking

/// Brings the receiver into the demanded power state: performs the power sequencer's actions on the
/// lines and on the receiver's link.
public final class PowerDriver {
  public private(set) var sequencer: PowerSequencer {
    didSet {
      due = sequencer.due
    }
  }
  // Cached: it is queried for every byte, and the sequencer is a large value.
  private(set) var due: BootInstant?
  /// The receiver state last reported to the tracker.
  private var reportedState: ReceiverPowerState
  private let lines: (any PowerSwitchPort)?
  private let link: ReceiverLink
  private let log: LogChannel
  /// Why a line could not be set; nil once it could be again, or if nothing is switched.
  public private(set) var failure: String?

  init(
    _ wiring: PowerWiring, lines: (any PowerSwitchPort)?, link: ReceiverLink, log: LogChannel
  ) {
    sequencer = PowerSequencer(wiring)
    due = sequencer.due
    reportedState = sequencer.receiver
    self.lines = lines
    self.link = link
    self.log = log
  }

  var name: String? { lines?.name }

  /// Passes an event to the sequencer and performs its actions. Their results are returned as
  /// inputs, to be handled in order.
  func perform(_ event: PowerEvent, at now: BootInstant) -> [Input] {
    var inputs: [Input] = []
    for action in sequencer.step(event, at: now) {
      do {
        inputs += try perform(action, at: now)
      } catch {
        // The remaining actions assume that this line is set, and so does the state that the
        // sequencer has recorded.
        return inputs + [.power(.lineFailed(error.line, reason: error.reason))]
      }
    }
    guard sequencer.receiver != reportedState else { return inputs }
    reportedState = sequencer.receiver
    return [.tracker(.receiver(reportedState))] + inputs
  }

  private struct LineFailure: Error {
    let line: PowerLine
    let reason: String
  }

  private func perform(
    _ action: PowerAction, at now: BootInstant
  ) throws(LineFailure) -> [Input] {
    switch action {
    case .set(let line, let active): try set(line, active: active)
    case .openReceiver: return link.open(at: now)
    case .discardInput: link.discardInput(at: now)
    case .send(let bytes):
      if let reason = link.send(bytes, at: now) { return [.power(.unsent(reason: reason))] }
    case .closeReceiver: link.close(at: now)
    case .reached: return [.tracker(.powerReached)]
    case .failed(let reason): return [.tracker(.powerFailed(reason: reason))]
    case .restartFailed(let reason): return [.tracker(.restartFailed(reason: reason))]
    case .sleepUnavailable(let reason): return [.tracker(.sleepUnavailable(reason: reason))]
    case .identified(let identity):
      log.write("receiver-identified", identity.summary, at: now)
    case .capabilitiesChanged: return [.tracker(.learnt(sequencer.capabilities))]
    case .log(let logEvent): log.receive(logEvent, now)
    }
    return []
  }

  private func set(_ line: PowerLine, active: Bool) throws(LineFailure) {
    guard let lines else { return }
    do {
      try lines.set(line, active: active)
      failure = nil
    } catch {
      failure = error.message
      throw LineFailure(line: line, reason: error.message)
    }
  }
}

extension AssistanceData {
  /// The maximum altitude assumed where roads and people are.
  private static let maxAltitude = Metres(5000)
  /// The speed of a car on a motorway.
  private static let maxSpeed = MetresPerSecond(40)

  /// The time and an approximate position, for a receiver that has lost both; nil while no date has
  /// come from a receiver.
  init?(_ tracker: Tracker, at now: BootInstant) {
    guard tracker.clock.isFromReceiver, let time = tracker.clock.utc(at: now) else { return nil }
    self.init(taken: now, time: time, timeAccuracy: 1)
    guard let last = tracker.lastGnss else { return }
    let reach = last.accuracy + Self.maxSpeed * max(time - last.time, 0)
    // A position error larger than about the movement of a satellite's horizon makes the position
    // useless.
    guard reach < 100_000 else { return }
    position = last.position
    altitude = last.altitude
    positionAccuracy = last.altitude == nil ? max(reach, Self.maxAltitude) : reach
  }
}
