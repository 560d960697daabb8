import Formats
import Notation
import Quantities
import ReceiverProtocols

/// Gives the fixes of a recording the moments of a board's clock, which it does not have itself.
///
/// Time never runs backwards for the runtime, whatever the recording contains: the validation
/// refuses such fixes. A date of what a receiver has sent that those before and after it contradict
/// is skipped, because the clock would run with it.
struct ReplayDates {
  /// When nothing has been recorded for so long, nobody knows of a receiver that was on.
  private static let longestSilence: Seconds = .minutes(15)
  /// A date without a position is a clock's, and the board's does not go farther by it at once.
  private static let mostWithoutPosition: Seconds = .days(1)

  private var firstDates = FirstDates()
  private var dates = LoneDates<Fix> { $0.hasPosition ? $0.time : nil }
  private var first: UTCInstant?
  private(set) var now = BootInstant.zero
  private var skipped = 0
  private var firstSkipped: UTCInstant?

  /// Takes a fix, when the recording stopped before it, if it did, and the moment of the fix.
  typealias Body = (Fix, BootInstant?, BootInstant) -> Void

  /// Of what a receiver has sent, in its order.
  mutating func take(_ fix: Fix, _ body: Body) {
    var known: [Fix] = []
    firstDates.take(fix) { known.append($0) }
    for fix in known { judge(fix, body) }
  }

  mutating func finish(_ body: Body) {
    var known: [Fix] = []
    firstDates.finish { known.append($0) }
    for fix in known { judge(fix, body) }
    var passed: [Fix] = []
    var refused: [Fix] = []
    dates.finish {
      passed.append($0)
    } refuse: {
      refused.append($0)
    }
    tell(passed, refused, body)
  }

  private mutating func judge(_ fix: Fix, _ body: Body) {
    var passed: [Fix] = []
    var refused: [Fix] = []
    dates.take(fix) {
      passed.append($0)
    } refuse: {
      refused.append($0)
    }
    tell(passed, refused, body)
  }

  private mutating func tell(_ passed: [Fix], _ refused: [Fix], _ body: Body) {
    for fix in refused {
      skipped += 1
      firstSkipped = firstSkipped ?? fix.time
    }
    for fix in passed { pass(fix, body) }
  }

  /// A fix whose date is believed as far as possible.
  mutating func pass(_ fix: Fix, _ body: Body) {
    let before = now
    if let time = fix.time {
      let start = first ?? time
      first = start
      let elapsed = time - start
      let most = fix.hasPosition ? .days(36_600) : now - .zero + Self.mostWithoutPosition
      if elapsed > now - .zero, elapsed < most { now = .zero + elapsed }
    }
    body(fix, now - before > Self.longestSilence ? before : nil, now)
  }

  var sentences: [String] {
    let wrong = firstSkipped.map {
      "skipped \(Counted.text(skipped, "wrong date")), which those before and after contradict, "
        + "the first: \(ISO8601.text($0, digits: 0))"
    }
    return [firstDates.sentence, wrong].compactMap { $0 }
  }
}
