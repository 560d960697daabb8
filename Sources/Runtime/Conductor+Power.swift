import Energy
import Ports
import PowerControl
import Quantities
import Records

/// From wanting the receiver in a power state to having it so.
extension Conductor {
  func power(_ state: PowerState, until: BootInstant?, at now: BootInstant) {
    if state == .on, let aid = startAid(at: now) { perform(.know(aid), at: now) }
    perform(.want(state, until: until), at: now)
  }

  func attendPower(at now: BootInstant) {
    if let due = sequencer.due, now >= due { perform(.timePassed, at: now) }
  }

  /// The daemon ends: the receiver is left as the settings want it, without waiting for anything.
  func leavePower(at now: BootInstant) { perform(.leave, at: now) }

  /// Tells the sequencer what has happened, and does what it then wants done.
  func perform(_ event: PowerEvent, at now: BootInstant) {
    for action in sequencer.step(event, at: now) {
      do {
        try perform(action, at: now)
      } catch {
        // The rest would rest on a line that is not as it should be.
        return perform(.lineFailed(error.line, reason: error.reason), at: now)
      }
    }
  }

  private struct LineFailure: Error {
    let line: PowerLine
    let reason: String
  }

  private func perform(_ action: PowerAction, at now: BootInstant) throws(LineFailure) {
    switch action {
    case .set(let line, let active): try set(line, active: active)
    case .openReceiver: openReceiver(at: now)
    case .discardInput: discardInput(at: now)
    case .send(let bytes): send(bytes, at: now)
    case .closeReceiver: closeReceiver(at: now)
    case .reached: step(.powerReached, at: now)
    case .failed(let reason): step(.powerFailed(reason: reason), at: now)
    case .sleepUnavailable(let reason):
      step(.sleepUnavailable(reason: reason), at: now)
    case .identified(let identity):
      noted(Note("receiver-identified", identity.summary), now)
    case .meansChanged: step(.learnt(sequencer.means), at: now)
    case .note(let note): noted(note, now)
    }
  }

  private func set(_ line: PowerLine, active: Bool) throws(LineFailure) {
    guard let powerSwitch = board.powerSwitch else { return }
    do {
      try powerSwitch.set(line, active: active)
      switchFailure = nil
    } catch {
      switchFailure = error.message
      throw LineFailure(line: line, reason: error.message)
    }
  }

  private func send(_ bytes: [UInt8], at now: BootInstant) {
    do {
      try board.receiver?.write(bytes)
    } catch {
      // Whether it mattered shows in what the receiver does.
      noted(Note("receiver-not-told", error.message, level: .warning), now)
    }
  }

  /// The time and about the place, for a receiver that has lost both.
  private func startAid(at now: BootInstant) -> StartAid? {
    guard tracker.clock.isFromReceiver, let time = tracker.clock.utc(at: now) else { return nil }
    var aid = StartAid(taken: now, time: time, timeAccuracy: 1)
    if let last = tracker.lastGnss {
      let reach = last.accuracy + Self.fastestCarrier * max(time - last.time, 0)
      // A place that is further off than a satellite's horizon moves helps nothing.
      if reach < 100_000 {
        aid.place = last.place
        aid.altitude = last.altitude
        aid.placeAccuracy = last.altitude == nil ? max(reach, Self.highestPlace) : reach
      }
    }
    return aid
  }

  /// Where roads and people are.
  private static let highestPlace = Metres(5000)
  /// A car on a motorway.
  private static let fastestCarrier = MetresPerSecond(40)
}
