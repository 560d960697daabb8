import Core

/// When the board has to be located next and the wake is due, and what was last reported of both.
struct AlertAgenda: Sendable {
  private static let accuracy: Metres = 50
  /// A decision that is due but not possible is tried again after this time.
  private static let timeout = DeadlineWatch.timeout

  var requests: [AlertFixReason: AlertFixRequest] = [:]
  private var announced: [AlertFixReason: AlertFixRequest] = [:]
  private var wake: BootInstant?
  private var announcedWake: BootInstant?

  /// - Parameter dues: when decisions are due. One that is overdue and waits for a location causes
  ///   no immediate wake, and other events do not postpone its wake.
  mutating func planWake(_ dues: [UTCInstant], _ step: AlertStep) {
    let before = wake
    wake = nil
    guard let date = step.date else { return }
    let ahead = dues.filter { $0 > date }.min().map { step.now + ($0 - date) }
    var again: BootInstant?
    if dues.contains(where: { $0 <= date }) {
      let latest = step.now + Self.timeout
      again = before.flatMap { step.now < $0 && $0 <= latest ? $0 : nil } ?? latest
    }
    wake = .earlier(ahead, again)
  }

  /// A request is made once, and again after an insufficient location.
  /// - Parameters:
  ///   - reason: nil: nothing waits.
  ///   - lastAt: when the last location came.
  mutating func requestNow(_ reason: String?, lastAt: BootInstant?, at now: BootInstant) {
    guard let reason else { return requests[.deadlines] = nil }
    var at = now
    if let before = announced[.deadlines], before.reason == reason,
      lastAt.map({ $0 <= before.at }) ?? true
    {
      at = before.at
    }
    requests[.deadlines] = AlertFixRequest(at: at, accuracy: Self.accuracy, reason: reason)
  }

  /// Appends the effects for what has changed.
  mutating func emitChanges(_ step: inout AlertStep) {
    if wake != announcedWake {
      announcedWake = wake
      step.effects.append(.wake(at: wake))
    }
    for looker in AlertFixReason.allCases where requests[looker] != announced[looker] {
      announced[looker] = requests[looker]
      step.effects.append(.requestFix(looker, requests[looker]))
    }
  }
}
