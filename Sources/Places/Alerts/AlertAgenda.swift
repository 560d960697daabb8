import Core

/// When the board has to be located next and the time to be told, and what was said of it.
struct AlertAgenda: Sendable {
  private static let accuracy: Metres = 50
  /// What is due and cannot be decided is taken up again after this.
  private static let patience = DeadlineWatch.patience

  var looks: [AlertFixReason: AlertFixRequest] = [:]
  private var told: [AlertFixReason: AlertFixRequest] = [:]
  private var wake: BootInstant?
  private var toldWake: BootInstant?

  /// - Parameter dues: when something has to be decided. What is due already and waits for a
  ///   location wakes nobody at once, and does not wait for longer because of what happens
  ///   meanwhile.
  mutating func planWake(_ dues: [UTCInstant], _ step: AlertStep) {
    let before = wake
    wake = nil
    guard let date = step.date else { return }
    let ahead = dues.filter { $0 > date }.min().map { step.now + ($0 - date) }
    var again: BootInstant?
    if dues.contains(where: { $0 <= date }) {
      let latest = step.now + Self.patience
      again = before.flatMap { step.now < $0 && $0 <= latest ? $0 : nil } ?? latest
    }
    wake = .earlier(ahead, again)
  }

  /// Asked for once, and anew when a location has come that did not do.
  /// - Parameters:
  ///   - reason: nil: nothing waits.
  ///   - lastAt: when a location has come last.
  mutating func lookNow(_ reason: String?, lastAt: BootInstant?, at now: BootInstant) {
    guard let reason else { return looks[.deadlines] = nil }
    var at = now
    if let before = told[.deadlines], before.reason == reason,
      lastAt.map({ $0 <= before.at }) ?? true
    {
      at = before.at
    }
    looks[.deadlines] = AlertFixRequest(at: at, accuracy: Self.accuracy, reason: reason)
  }

  /// What is new.
  mutating func tell(_ step: inout AlertStep) {
    if wake != toldWake {
      toldWake = wake
      step.effects.append(.wake(at: wake))
    }
    for looker in AlertFixReason.allCases where looks[looker] != told[looker] {
      told[looker] = looks[looker]
      step.effects.append(.look(looker, looks[looker]))
    }
  }
}
