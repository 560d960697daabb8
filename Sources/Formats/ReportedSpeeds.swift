import Core

/// Checks whether the reported speeds of a trace are consistent with its positions, in metres per
/// second.
struct ReportedSpeeds {
  /// Over a shorter time the noise of positions looks like a speed; over a longer time the path
  /// between them is unknown.
  private static let stretch: ClosedRange<Seconds> = 20...900
  /// Slower movement is not assessed.
  private static let least: MetresPerSecond = 3
  private static let usualError: Metres = 10
  /// With positions as dense as this, the path between them is known.
  private static let dense: Seconds = 30
  /// Paths have bends, the more the longer they are.
  private static let bendsOfDense = 1.3
  private static let bends = 2.0
  private static let bendsOfLong = 3.0
  private static let long: Seconds = 180
  private static let margin: MetresPerSecond = 1.5
  private static let fewest = 5

  private var start: TraceSample?
  private var last: TraceSample?
  private var pathLength: Metres = 0
  private var longestStep: Seconds = 0
  private var sum: MetresPerSecond = 0
  private var count = 0
  private var assessed = 0
  private var contradicted = 0
  /// The first of them.
  private var firstContradicted: TraceRow?
  private var distances = ReportedDistances()

  /// The first speed that the positions do not allow; nil unless that is true of most speeds, or of
  /// all together.
  var firstWrong: TraceRow? {
    if contradicted >= Self.fewest, contradicted * 2 > assessed { return firstContradicted }
    return distances.areWrong ? distances.first : nil
  }

  mutating func take(_ row: TraceRow) {
    let sample = row.sample
    distances.take(row)
    guard let start else { return begin(sample) }
    note(sample)
    let time = (sample.time - start.time).magnitude
    guard time >= Self.stretch.lowerBound else { return }
    if time <= Self.stretch.upperBound { assess(row, since: start, time) }
    begin(sample)
  }

  private mutating func begin(_ sample: TraceSample) {
    start = sample
    last = nil
    pathLength = 0
    longestStep = 0
    sum = 0
    count = 0
    note(sample)
  }

  private mutating func note(_ sample: TraceSample) {
    if let last {
      pathLength = pathLength + Sphere.distance(last.position, sample.position)
      longestStep = max(longestStep, (sample.time - last.time).magnitude)
    }
    last = sample
    guard let speed = sample.speed else { return }
    sum = sum + speed
    count += 1
  }

  private mutating func assess(_ row: TraceRow, since start: TraceSample, _ time: Seconds) {
    guard count > 0 else { return }
    let claimed = sum * (1 / Double(count))
    guard claimed > Self.least else { return }
    assessed += 1
    let errors = [start, row.sample].map { $0.accuracy ?? Self.usualError }.reduce(0, +)
    let seen = (longestPath(since: start, to: row.sample, time) + errors) / time
    guard claimed > seen + Self.margin else { return }
    contradicted += 1
    firstContradicted = firstContradicted ?? row
  }

  private func longestPath(
    since start: TraceSample, to end: TraceSample, _ time: Seconds
  ) -> Metres {
    guard longestStep > Self.dense else { return pathLength * Self.bendsOfDense }
    let line = Sphere.distance(start.position, end.position)
    return line * (time > Self.long ? Self.bendsOfLong : Self.bends)
  }
}

/// The distances from the reported speeds of a whole trace, compared with those from its positions:
/// at walking speed the unit of a single speed is hidden by the errors of the positions.
struct ReportedDistances {
  /// With positions as dense as this, the speed between them is known.
  private static let longestStep: Seconds = 30
  /// Distances are measured by straight lines of this duration: over a shorter time, errors add
  /// distance.
  private static let line: Seconds = 20
  /// For a piece with real movement. A stationary receiver reports speeds, too.
  private static let leastDistance: Metres = 100
  private static let errorsOfWay = 5.0
  private static let longestPiece: Seconds = 300
  private static let usualError: Metres = 10
  private static let fewestPieces = 5
  /// Knots are 1.94 times metres per second, and only a doubt.
  private static let mostRatio = 2.0

  /// A piece of the path without real movement so far.
  private struct Piece {
    let start: TraceSample
    var lineStart: TraceSample
    var last: TraceSample
    var claimed: Metres = 0
    var seen: Metres = 0

    init(_ start: TraceSample) {
      self.start = start
      lineStart = start
      last = start
    }
  }

  private var piece: Piece?
  private var pieces = 0
  private var claimed: Metres = 0
  private var seen: Metres = 0
  /// The end of the first piece that is longer by its reported speeds.
  private(set) var first: TraceRow?

  var areWrong: Bool { pieces >= Self.fewestPieces && claimed > seen * Self.mostRatio }

  mutating func take(_ row: TraceRow) {
    let sample = row.sample
    guard let speed = sample.speed else { return piece = nil }
    guard var piece, let lastSpeed = piece.last.speed else { return piece = Piece(sample) }
    let step = sample.time - piece.last.time
    guard step >= 0, step <= Self.longestStep,
      sample.time - piece.start.time <= Self.longestPiece
    else { return self.piece = Piece(sample) }
    piece.claimed = piece.claimed + (lastSpeed + speed) * 0.5 * step
    piece.last = sample
    if sample.time - piece.lineStart.time >= Self.line {
      piece.seen = piece.seen + Sphere.distance(piece.lineStart.position, sample.position)
      piece.lineStart = sample
      if leadsSomewhere(piece) {
        end(piece, at: row)
        piece = Piece(sample)
      }
    }
    self.piece = piece
  }

  private func leadsSomewhere(_ piece: Piece) -> Bool {
    let errors = [piece.start, piece.last].map { $0.accuracy ?? Self.usualError }.reduce(0, +)
    return Sphere.distance(piece.start.position, piece.last.position)
      >= max(Self.leastDistance, errors * Self.errorsOfWay)
  }

  private mutating func end(_ piece: Piece, at row: TraceRow) {
    pieces += 1
    claimed = claimed + piece.claimed
    seen = seen + piece.seen
    if piece.claimed > piece.seen * Self.mostRatio { first = first ?? row }
  }
}
