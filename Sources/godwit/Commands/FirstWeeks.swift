import Notation
import Quantities
import ReceiverProtocols

/// Puts the first dates of a receiver's recording right where it counted the weeks of GPS wrongly
/// until it knew better: then its dates go on from one fix to the next, but for 1024 weeks.
struct FirstWeeks {
  private static let rollover = Seconds.days(7 * 1024)
  /// That the dates do not go on by, besides.
  private static let pause: Seconds = .hours(1)
  /// A receiver that does not know better by then never will.
  private static let mostDated = 100
  private static let mostHeld = 2000
  /// So many fixes have to follow on the new date: a single wrong one is another matter.
  private static let witnesses = 6

  /// How many dates were put right.
  private(set) var corrected = 0
  private var held: [Fix]? = []
  private var dated = 0
  private var last: UTCInstant?
  /// Where the dates step, and by how many times 1024 weeks.
  private var step: (index: Int, dated: Int, shift: Seconds)?

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
    step = nil
    release(held ?? [], pass)
  }

  /// - Returns: whether it is known now which dates are right.
  private mutating func note(_ time: UTCInstant, at index: Int) -> Bool {
    defer { last = time }
    dated += 1
    if let last {
      let weeks = ((time - last) / Self.rollover).rounded()
      let rest = (time - last) - Self.rollover * weeks
      if weeks != 0, rest.magnitude < Self.pause {
        guard step == nil else {
          step = nil
          return true
        }
        step = (index, dated, Self.rollover * weeks)
      }
    }
    if let step { return dated - step.dated >= Self.witnesses }
    return dated >= Self.mostDated
  }

  /// Nil: none was.
  var sentence: String? {
    corrected == 0
      ? nil : "put right \(Counted.text(corrected, "first date")), by weeks counted wrongly"
  }

  private mutating func release(_ waiting: [Fix], _ pass: (Fix) -> Void) {
    held = nil
    for (index, fix) in waiting.enumerated() {
      var fix = fix
      if let step, index < step.index, let time = fix.time {
        fix.time = time + step.shift
        corrected += 1
      }
      pass(fix)
    }
  }
}
