import Core

/// When an input is listened to: until it has felt something, and then not for a while. It is
/// opened, and listened to again, when that is due.
///
/// What comes while it rests is not seen. What goes on is felt again as soon as the rest is over;
/// what only bounces has ended by then.
struct EdgeListeningSchedule: Equatable {
  enum Phase: Equatable {
    /// It is not had; it is to be tried again then.
    case closed(until: BootInstant)
    case listening(since: BootInstant)
    case resting(until: BootInstant)
  }

  enum Task: Equatable { case open, listen, take }

  private(set) var phase = Phase.closed(until: .zero)

  /// Since when it is; nil: it is not.
  var listeningSince: BootInstant? {
    if case .listening(let since) = phase { return since }
    return nil
  }

  /// When there is something to do whatever the input says.
  var due: BootInstant? {
    switch phase {
    case .closed(let next): next
    case .listening: nil
    case .resting(let end): end
    }
  }

  /// What is to be done now; nil: nothing yet.
  func task(at now: BootInstant) -> Task? {
    switch phase {
    case .closed(let next): now >= next ? .open : nil
    case .listening: .take
    case .resting(let end): now >= end ? .listen : nil
    }
  }

  mutating func listens(at now: BootInstant) { phase = .listening(since: now) }

  mutating func rests(until end: BootInstant) { phase = .resting(until: end) }

  mutating func lost(until next: BootInstant) { phase = .closed(until: next) }
}
