import Core

/// Detects that a radio has stopped receiving, and decides when it is switched off and on.
///
/// The radios of some boards hang while they scan until their supply is cut; the only symptom is
/// complete silence. Silence alone is no fault, because there may be no devices around. So it
/// counts only after anything has been received. A radio out of reach of all devices looks the same
/// as one that hangs: after a power cycle without effect, the intervals between attempts grow, up
/// to a day of listening.
struct RadioHealth: Sendable {
  enum Event: Sendable {
    /// Anything was received.
    case received
    /// The radio has listened for this long since the last event.
    case listened(Seconds)
    /// Its supply was switched off and on: the silence is counted again from zero.
    case restarted
  }

  enum Effect: Hashable, Sendable {
    /// Switch it off and on.
    case restart(afterSilence: Seconds)
    /// It receives again.
    case recovered
  }

  /// In listening time.
  static let silence: Seconds = 300
  private static let longestPause: Seconds = .days(1)

  private var silent: Seconds = 0
  /// The silence that currently counts as hanging.
  private var silenceLimit = Self.silence
  private var hasReceived = false
  private var isRestarted = false

  init() {}

  mutating func step(_ event: Event) -> [Effect] {
    switch event {
    case .received:
      let effects: [Effect] = isRestarted ? [.recovered] : []
      hasReceived = true
      isRestarted = false
      silent = 0
      silenceLimit = Self.silence
      return effects
    case .restarted:
      silent = 0
      return []
    case .listened(let time):
      guard hasReceived else { return [] }
      silent += max(time, 0)
      guard silent >= silenceLimit else { return [] }
      let length = silent
      silent = 0
      silenceLimit = min(silenceLimit * 2, Self.longestPause)
      isRestarted = true
      return [.restart(afterSilence: length)]
    }
  }
}
