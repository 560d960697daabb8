import Core

/// Notices that a radio has stopped hearing anything, and when it is to be switched off and on.
///
/// The radios of some boards hang while they scan until their power goes; nothing tells but that
/// all falls silent. Silence alone is no fault: there may be no device around. So it counts only
/// once anything was heard at all. A radio that has left everything behind cannot be told from one
/// that hangs: a cycle that did not help is tried again later and later, at last once a day of
/// listening.
public struct RadioHealth: Sendable {
  public enum Event: Sendable {
    /// Something was heard, whatever it was.
    case heard
    /// The radio has listened for so long since the last event.
    case listened(Seconds)
    /// Its power was switched: its silence counts anew.
    case restarted
  }

  public enum Effect: Hashable, Sendable {
    /// Switch it off and on.
    case restart(afterSilence: Seconds)
    /// It hears again.
    case recovered
  }

  /// Of listening.
  static let silence: Seconds = 300
  private static let longestPause: Seconds = .days(1)

  private var silent: Seconds = 0
  /// What it takes now to call it hung.
  private var patience = Self.silence
  private var hasHeard = false
  private var isRestarted = false

  public init() {}

  public mutating func step(_ event: Event) -> [Effect] {
    switch event {
    case .heard:
      let effects: [Effect] = isRestarted ? [.recovered] : []
      hasHeard = true
      isRestarted = false
      silent = 0
      patience = Self.silence
      return effects
    case .restarted:
      silent = 0
      return []
    case .listened(let time):
      guard hasHeard else { return [] }
      silent += max(time, 0)
      guard silent >= patience else { return [] }
      let length = silent
      silent = 0
      patience = min(patience * 2, Self.longestPause)
      isRestarted = true
      return [.restart(afterSilence: length)]
    }
  }
}
