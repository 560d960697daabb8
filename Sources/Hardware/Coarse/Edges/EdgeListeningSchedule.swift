import Core

/// When an input is listened to: until it has reported an event, and then not for a while. Then it
/// is enabled again, or opened.
///
/// Events while it is disabled are lost. A lasting movement is detected again as soon as the pause
/// is over; bouncing has ended by then.
struct EdgeListeningSchedule: Equatable {
  enum Phase: Equatable {
    /// Not open; to be tried again then.
    case closed(until: BootInstant)
    case listening(since: BootInstant)
    case resting(until: BootInstant)
  }

  enum Task: Equatable { case open, listen, take }

  private(set) var phase = Phase.closed(until: .zero)

  /// Since when it has been listening; nil: it is not.
  var listeningSince: BootInstant? {
    if case .listening(let since) = phase { return since }
    return nil
  }

  /// When there is something to do even without an event from the input.
  var due: BootInstant? {
    switch phase {
    case .closed(let next): next
    case .listening: nil
    case .resting(let end): end
    }
  }

  /// The task due now; nil: none yet.
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
