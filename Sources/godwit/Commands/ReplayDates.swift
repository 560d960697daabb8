import Formats
import Core
import GNSS
import Records

/// Maps the fixes of a recording to times of a board's clock, which the recording lacks.
///
/// Time never runs backwards for the runtime, whatever the recording contains: validation rejects
/// such fixes. In a receiver's recording, a date that its neighbours contradict is skipped, because
/// the clock would follow it. Other positions that go back in time are left out.
struct ReplayDates {
  /// A receiver that learns the leap seconds goes back by less.
  private static let mostBack: Seconds = 60
  /// A date without a position comes from a clock, and advances the board's clock by no more than
  /// this at once.
  private static let mostWithoutPosition: Seconds = .days(1)

  private var firstDates = FirstDates()
  private var dates = OutlierDates<Numbered> { $0.fix.hasPosition ? $0.fix.time : nil }
  private var count = 0
  private var first: UTCInstant?
  private(set) var now = BootInstant.zero
  /// The dates that were skipped.
  private(set) var wrong = RowCount()
  /// Positions earlier than those already passed: two recordings joined in the wrong order, or one
  /// twice.
  private(set) var earlier = RowCount()
  /// Whether the last position was earlier.
  private var isBack = false
  /// By how much the first of them is earlier.
  private var back: Seconds = 0
  private var span = TraceSpan()

  /// A fix with its number in the recording, from 1.
  private typealias Numbered = (number: Int, fix: Fix)

  /// Receives a fix, the time at which the recording stopped before it, if it did, and the fix's
  /// time.
  typealias Body = (Fix, BootInstant?, BootInstant) -> Void

  /// Handles a fix of a receiver's recording, in order.
  mutating func process(_ fix: Fix, _ body: Body) {
    var known: [Fix] = []
    firstDates.process(fix) { known.append($0) }
    for fix in known { check(fix, body) }
  }

  mutating func finish(_ body: Body) {
    var known: [Fix] = []
    firstDates.finish { known.append($0) }
    for fix in known { check(fix, body) }
    var passed: [Numbered] = []
    var refused: [Numbered] = []
    dates.finish {
      passed.append($0)
    } refuse: { item, _ in
      refused.append(item)
    }
    emit(passed, refused, body)
  }

  private mutating func check(_ fix: Fix, _ body: Body) {
    var passed: [Numbered] = []
    var refused: [Numbered] = []
    count += 1
    dates.take((count, fix)) {
      passed.append($0)
    } refuse: { item, _ in
      refused.append(item)
    }
    emit(passed, refused, body)
  }

  private mutating func emit(_ passed: [Numbered], _ refused: [Numbered], _ body: Body) {
    for item in refused {
      if let row = Self.row(item) { wrong.add(row) }
    }
    for item in passed where !isTooEarly(item) { pass(item.fix, body) }
  }

  private mutating func isTooEarly(_ item: Numbered) -> Bool {
    guard let row = Self.row(item) else { return false }
    let late = (span.last ?? row.sample.time) - row.sample.time
    isBack = isBack ? late >= 0 : late > Self.mostBack
    guard isBack else {
      if late <= 0 { span.take(row) }
      return false
    }
    if earlier.count == 0 { back = late }
    earlier.add(row)
    return true
  }

  private static func row(_ item: Numbered) -> TraceRow? {
    TraceSample(item.fix).map { TraceRow($0, line: item.number, unit: .fix) }
  }

  /// Passes a fix, and follows its date as far as plausible.
  mutating func pass(_ fix: Fix, _ body: Body) {
    let before = now
    if let time = fix.time {
      let start = first ?? time
      first = start
      let elapsed = time - start
      let most = fix.hasPosition ? .days(36_600) : now - .zero + Self.mostWithoutPosition
      if elapsed > now - .zero, elapsed < most { now = .zero + elapsed }
    }
    // After a gap this long it is unknown whether the receiver was on.
    body(fix, now - before > UnobservedPeriod.shortest ? before : nil, now)
  }

  /// The number of corrected first dates.
  var corrected: Int { firstDates.corrected }

  /// - Parameter now: the machine's date; nil: its clock was not set.
  func sentences(now: UTCInstant?) -> [String] {
    [
      firstDates.sentence, wrong.sentence, earlierSentence, span.clockSentence(now: now),
      span.holesSentence,
    ].compactMap { $0 }
  }

  private var earlierSentence: String? {
    guard let first = earlier.first else { return nil }
    return "left out \(Counted.text(earlier.count, "position")) earlier than the previous one, the "
      + "first: \(first.place), \(ISO8601.text(first.sample.time, digits: 0)), where the time goes "
      + "back by \(back.inWords): join recordings in chronological order, each only once"
  }
}
