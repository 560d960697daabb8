import Core
import GNSS

/// Corrects the first dates of a receiver's recording that the receiver itself corrected soon
/// after: these dates step once, by 1024 weeks (a week rollover), or back by a day or by years. The
/// recording is a stream, so the fixes on both sides of the step are consecutive in time and place.
/// Those of two joined recordings are not.
struct FirstDates {
  private static let rollover = Seconds.days(7 * 1024)
  /// Two recordings of one way are never more days apart: the receiver's clock was not set.
  private static let longestError: Seconds = .days(365)
  /// A smaller step does not concern the date.
  private static let leastStep: Seconds = .hours(1)
  /// Between two consecutive fixes.
  private static let longestPause: Seconds = 300
  private static let longestWay: Metres = 1000
  private static let mostSpeed: MetresPerSecond = 100
  /// After so many fixes a receiver no longer corrects its date.
  private static let mostDated = 100
  private static let mostHeld = 2000
  /// The minimum number of fixes after the step; there must also be as many as before it. A few
  /// wrong fixes are a different case.
  private static let minFollowing = 6
  /// Before its first position, a receiver may report the time of an unset clock.
  private static let longestStart = Seconds.days(1)

  /// The number of corrected dates.
  private(set) var corrected = 0
  private var held: [Fix]? = []
  private var dated = 0
  private var last: (time: UTCInstant, position: Coordinate)?
  /// Where the dates step, and the correction of those before; a nil shift: they may be right.
  private var step: (index: Int, dated: Int, shift: Seconds?)?

  mutating func process(_ fix: Fix, _ pass: (Fix) -> Void) {
    guard var waiting = held else { return pass(fix) }
    held = []
    var isDecided = false
    if let position = fix.position, fix.hasPosition, let time = fix.time {
      isDecided = note(time, position, at: waiting.count)
    }
    waiting.append(fix)
    guard isDecided || waiting.count >= Self.mostHeld else { return held = waiting }
    release(waiting, pass)
  }

  mutating func finish(_ pass: (Fix) -> Void) {
    guard let waiting = held else { return }
    if let step, dated - step.dated < Self.minFollowing { self.step = nil }
    release(waiting, pass)
  }

  /// - Returns: whether it is decided now which dates are right.
  private mutating func note(
    _ time: UTCInstant, _ position: Coordinate, at index: Int
  ) -> Bool {
    defer { last = (time, position) }
    dated += 1
    if let last {
      let jump = time - last.time
      if jump.magnitude >= Self.leastStep {
        guard step == nil else {
          step = nil
          return true
        }
        step = (index, dated, shift(for: jump, over: Sphere.distance(last.position, position)))
      }
    }
    if let step { return dated - step.dated >= max(Self.minFollowing, step.dated - 1) }
    return dated >= Self.mostDated
  }

  /// - Parameters:
  ///   - jump: from the last date to the next.
  ///   - way: from the last position to the next.
  private func shift(for jump: Seconds, over way: Metres) -> Seconds? {
    var shifts: [Seconds] = [.days(-1), -Self.rollover, Self.rollover]
    if jump < -Self.longestError { shifts.append(.days((jump / .days(1)).rounded(.down))) }
    return shifts.first { shift in
      let pause = jump - shift
      return pause > 0 && pause <= Self.longestPause
        && way <= min(Self.longestWay, Self.mostSpeed * max(pause, 1))
    }
  }

  /// Nil: none was corrected.
  var sentence: String? {
    corrected == 0
      ? nil
      : "corrected \(Counted.text(corrected, "first date")), which the receiver itself corrected "
        + "later"
  }

  private mutating func release(_ waiting: [Fix], _ pass: (Fix) -> Void) {
    held = nil
    var fixes = waiting
    if let step, let shift = step.shift {
      for index in 0..<step.index {
        guard let time = fixes[index].time else { continue }
        fixes[index].time = time + shift
        corrected += 1
      }
    }
    if let start = fixes.firstIndex(where: { $0.hasPosition && $0.time != nil }),
      let time = fixes[start].time
    {
      for index in 0..<start {
        guard let early = fixes[index].time else { continue }
        if (time - early).magnitude > Self.longestStart { fixes[index].time = nil }
      }
    }
    fixes.forEach(pass)
  }
}
