import Notation
import Quantities
import ReceiverProtocols

/// Puts the first dates of a receiver's recording right where it knew better soon after: then they
/// step once, by 1024 weeks that it had counted wrongly, or back from a day that had not come yet.
/// What it sends is a stream, so the fixes on both sides of that step follow one another.
struct FirstDates {
  private static let rollover = Seconds.days(7 * 1024)
  /// That the dates do not go on by, besides.
  private static let pause: Seconds = .hours(1)
  /// A receiver that does not know better by then never will.
  private static let mostDated = 100
  private static let mostHeld = 2000
  /// So many fixes have to follow on the new date at least, and as many as were before it: a few
  /// wrong ones are another matter.
  private static let witnesses = 6
  /// Before it has a position, a receiver may tell the time of a clock that was never set.
  private static let longestStart = Seconds.days(1)

  /// How many dates were put right.
  private(set) var corrected = 0
  private var held: [Fix]? = []
  private var dated = 0
  private var last: UTCInstant?
  /// Where the dates step, and what those before it are to be moved by; nil: they may be right.
  private var step: (index: Int, dated: Int, shift: Seconds?)?

  mutating func take(_ fix: Fix, _ pass: (Fix) -> Void) {
    guard var waiting = held else { return pass(fix) }
    held = []
    var isDecided = false
    if fix.hasPosition, let time = fix.time {
      isDecided = note(time, at: waiting.count)
    }
    waiting.append(fix)
    guard isDecided || waiting.count >= Self.mostHeld else { return held = waiting }
    release(waiting, pass)
  }

  mutating func finish(_ pass: (Fix) -> Void) {
    guard let waiting = held else { return }
    if let step, dated - step.dated < Self.witnesses { self.step = nil }
    release(waiting, pass)
  }

  /// - Returns: whether it is known now which dates are right.
  private mutating func note(_ time: UTCInstant, at index: Int) -> Bool {
    defer { last = time }
    dated += 1
    if let last {
      let jump = time - last
      if jump.magnitude >= Self.pause {
        guard step == nil else {
          step = nil
          return true
        }
        step = (index, dated, shift(for: jump))
      }
    }
    if let step { return dated - step.dated >= max(Self.witnesses, step.dated - 1) }
    return dated >= Self.mostDated
  }

  /// - Parameter jump: from the last date to the next.
  private func shift(for jump: Seconds) -> Seconds? {
    for unit in [Self.rollover, .days(1)] where unit == Self.rollover || jump < 0 {
      let shift = unit * (jump / unit).rounded(.down)
      if shift != 0, jump - shift < Self.pause { return shift }
    }
    return nil
  }

  /// Nil: none was.
  var sentence: String? {
    corrected == 0
      ? nil
      : "put right \(Counted.text(corrected, "first date")), which the receiver itself corrected "
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
