import Records
import Core

/// Integrates the readings of one recording, and detects reasons for doubt.
struct RecordingMeter {
  /// The number of readings that determine the interval between readings: the recording's own
  /// interval may be shorter than the chip can convert.
  private static let pacing = 33
  /// A reading this near to the end of the range may be clipped.
  private static let rangeShare = 0.999

  /// The maximum width of a plot in pixels.
  private static let plotted = 2000

  /// The largest current that the monitor can measure.
  var range: Amperes?
  /// Attributes the charge to states; `start` is the recording's start on their clock.
  var states: (meter: StateMeter, start: BootInstant)?
  /// Called with every reading that counts.
  var sink: ((RecordedReading) -> Void)?
  private(set) var statistics = PowerStatistics(period: 1)
  private(set) var curve = ChargeCurve(maxPoints: plotted)
  private(set) var saturated = 0
  /// Readings that are not later than the previous one.
  private(set) var disordered = 0
  private var first: Seconds?
  private var last: Seconds?
  private var waiting: [RecordingRow] = []
  private var isPaced = false
  private var failures = 0

  /// - Parameter count: a negative number counts as zero.
  mutating func fail(_ count: Int = 1) {
    failures += min(max(0, count), 1_000_000_000)
    if isPaced { statistics.fail(failures) }
    if isPaced { failures = 0 }
  }

  mutating func take(_ row: RecordingRow) {
    if isPaced { return measure(row) }
    waiting.append(row)
    if waiting.count(where: \.reading.isNew) >= Self.pacing { pace() }
  }

  mutating func finish() {
    if !isPaced { pace() }
  }

  private mutating func pace() {
    isPaced = true
    let times = waiting.filter(\.reading.isNew).map(\.elapsed)
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > .zero }.sorted()
    statistics = PowerStatistics(period: steps.isEmpty ? 1 : steps[steps.count / 2])
    statistics.fail(failures)
    failures = 0
    for row in waiting { measure(row) }
    waiting = []
  }

  private mutating func measure(_ row: RecordingRow) {
    if row.reading.isNew, let last, row.elapsed <= last { disordered += 1 }
    let (readings, gaps) = (statistics.readings, statistics.gaps)
    statistics.add(row.reading)
    guard statistics.readings > readings else { return }
    if let range, row.reading.current.magnitude >= range * Self.rangeShare { saturated += 1 }
    let start = first ?? row.elapsed
    first = start
    last = row.elapsed
    attribute(row, isAfterGap: statistics.gaps > gaps)
    if let sink {
      let state = states.flatMap { $0.meter.state(at: $0.start + row.elapsed) }
      sink(RecordedReading(elapsed: row.elapsed, reading: row.reading, state: state))
    }
    curve.add(
      CumulativeCharge(elapsed: row.elapsed - start, charge: statistics.charge),
      beginsLine: statistics.gaps > gaps)
  }

  private mutating func attribute(_ row: RecordingRow, isAfterGap: Bool) {
    guard let start = states?.start else { return }
    var reading = row.reading
    reading.taken = start + row.elapsed
    states?.meter.add(reading, isAfterGap: isAfterGap)
  }

  /// The times of the first and last reading, on the clock of the states.
  var span: (start: BootInstant, end: BootInstant)? {
    guard let states, let first, let last else { return nil }
    return (states.start + first, states.start + last)
  }
}

/// One reading of a recording.
public struct RecordedReading: Sendable {
  /// Since the recording's start.
  public let elapsed: Seconds
  /// Its time is relative to the clock's zero.
  public let reading: PowerReading
  /// The receiver's state; nil: unknown.
  public let state: String?
}
