import Core

/// When the radio listens for beacons: a part of the time, and only where one could be.
///
/// Listening takes tens of milliwatts, more than a board at rest. A beacon that sends once a second
/// is heard within 5 s by a radio that listens 2 s of every 4, in 39 of 40 cases though every fifth
/// advertisement is lost; with 2 s of every 5 in 19 of 20.
public struct ScanPlan: Sendable {
  public enum Event: Sendable {
    /// Whether a beacon that counts could be heard here.
    case expected(Bool)
    case timePassed
  }

  public enum Effect: Hashable, Sendable {
    case listen(Bool)
    /// When `timePassed` is wanted next; replaces what was wanted before. Nil: not at all.
    case wake(BootInstant?)
  }

  /// How long it listens before each pause.
  private let window: Seconds
  private let pause: Seconds
  private var isExpected = false
  private var next: BootInstant?
  private var isOn = false

  /// - Parameters:
  ///   - listening: more than 0.
  ///   - pause: 0: it listens all the time.
  public init(listening: Seconds, pause: Seconds) {
    window = listening
    self.pause = pause
  }

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    if case .expected(let isExpected) = event { self.isExpected = isExpected }
    guard isExpected else { return turn(false, until: nil) }
    guard let next, next > now else {
      if isOn, pause > 0 { return turn(false, until: now + pause) }
      return turn(true, until: pause > 0 ? now + window : nil)
    }
    return []
  }

  private mutating func turn(_ isOn: Bool, until next: BootInstant?) -> [Effect] {
    var effects: [Effect] = []
    if isOn != self.isOn {
      self.isOn = isOn
      effects.append(.listen(isOn))
    }
    if next != self.next {
      self.next = next
      effects.append(.wake(next))
    }
    return effects
  }
}
