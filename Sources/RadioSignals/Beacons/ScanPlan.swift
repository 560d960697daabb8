import Core

/// When the radio listens for beacons: for a part of the time, and only where a beacon is possible.
///
/// Listening takes tens of milliwatts, more than a board at rest. With 2 s of every 4, a beacon
/// that sends once a second is received within 5 s in 39 of 40 cases, even if every fifth
/// advertisement is lost; with 2 s of every 5, in 19 of 20 cases.
struct ScanPlan: Sendable {
  enum Event: Sendable {
    /// Whether a relevant beacon could be received here.
    case expected(Bool)
    case timePassed
  }

  enum Effect: Hashable, Sendable {
    case listen(Bool)
    /// When `timePassed` is needed next; replaces the previous request. Nil: not at all.
    case wake(BootInstant?)
  }

  /// The listening time before each pause.
  private let window: Seconds
  private let pause: Seconds
  private var isExpected = false
  private var next: BootInstant?
  private var isOn = false

  /// - Parameters:
  ///   - listening: more than 0.
  ///   - pause: 0: it listens continuously.
  init(listening: Seconds, pause: Seconds) {
    window = listening
    self.pause = pause
  }

  mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
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
