import Core

/// A part of the truth between two rests, epoch by epoch, and the required knowledge of it.
struct TruthPiece {
  struct Sample {
    var position: Coordinate
    /// The progress of a search in this epoch, in seconds under open sky, with the best luck.
    var progress: Seconds
    /// Not in a stay.
    var isUnderWay = true

    init(position: Coordinate, progress: Seconds) {
      self.position = position
      self.progress = progress
    }

    /// Whether the trajectory has to be known here, which requires that a fix is possible.
    var isDemanded: Bool { isUnderWay && progress > 0 }
  }

  struct Rest {
    var samples: Range<Int>
    /// Not shorter than the shortest stay.
    var isStay: Bool
    /// Whether it begins here, rather than being cut by the piece.
    var begins: Bool
    var ends: Bool
  }

  let start: UTCInstant
  let interval: Seconds
  let samples: [Sample]
  let rests: [Rest]
  /// The maximum number of epochs between a fix and an arrival or a departure.
  let bracket: Int

  func moment(_ index: Int) -> UTCInstant { start + interval * Double(index) }

  /// The windows that need a fix, sorted by their beginnings. Windows that exceed the piece, or in
  /// which no search ends, are left out.
  func windows(_ foresight: Foresight) -> [ClosedRange<Int>] {
    rests.flatMap { rest -> [ClosedRange<Int>] in
      guard rest.isStay || foresight == .perfectMotion else { return [] }
      let (first, end) = (rest.samples.lowerBound, rest.samples.upperBound)
      let arrival = first - bracket...first + bracket
      var departure = end - bracket...end + bracket
      let after = end...end + bracket
      if foresight == .perfectMotion, !rest.isStay || isPossible(after) { departure = after }
      return ((rest.begins ? [arrival] : []) + (rest.ends ? [departure] : [])).filter(isPossible)
    }
    .sorted { $0.lowerBound < $1.lowerBound }
  }

  private func isPossible(_ window: ClosedRange<Int>) -> Bool {
    window.lowerBound >= 0 && window.upperBound < samples.count
      && samples[window].contains { $0.progress > 0 }
  }

  /// The positions on a plane on which every distance is at most the true one: its scale is that of
  /// the highest latitude, where meridians are nearest to each other. A line that is straight in
  /// latitude and longitude is straight on it.
  var points: [SIMD2<Double>] {
    let origin = samples.max {
      $0.position.latitude.magnitude < $1.position.latitude.magnitude
    }
    guard let origin else { return [] }
    let plane = LocalPlane(origin: origin.position)
    return samples.map {
      let point = plane.point($0.position)
      return SIMD2(point.east.value, point.north.value)
    }
  }
}

/// Reads the truth epoch by epoch and divides it into pieces: in the middle of long rests, where it
/// is unknown, and at the latest after two hours of movement.
///
/// A movement begins where the speed exceeds 0.5 m/s and stays above it for 3 s.
struct TruthPieceReader {
  /// Searches that end near a piece's beginning have begun before it.
  private static let lead: Seconds = 30
  private static let maxLength: Seconds = .hours(2)

  private let truth: any GroundTruth
  private let walls: Penetration
  private let interval: Seconds
  private let bracket: Int
  private let margin: Int
  private let minStay: Int
  /// The number of epochs of a rest that end a piece.
  private let splitting: Int
  private let onset: Int

  private var time: UTCInstant
  private var samples: [TruthPiece.Sample] = []
  private var rests: [TruthPiece.Rest] = []
  private var ready: [TruthPiece] = []
  private var state = Motion.unknown
  /// The time of the last sample.
  private var sampled: UTCInstant
  /// The number of fast epochs so far, still too few for a movement.
  private var fast = 0

  private enum Motion {
    case unknown, moving
    /// - Parameters:
    ///   - since: the first available sample of the rest.
    ///   - begins: whether it began there.
    ///   - isStay: whether it is known to be long enough for a stay.
    case resting(since: Int, begins: Bool, isStay: Bool)
  }

  init(
    _ truth: any GroundTruth, limits: ErrorLimits, interval: Seconds, walls: Penetration
  ) {
    func epochs(_ time: Seconds) -> Int { Int((time / interval).rounded(.up)) }
    self.truth = truth
    self.walls = walls
    self.interval = interval
    bracket = epochs(limits.timing)
    margin = epochs(limits.timing + Self.lead)
    minStay = epochs(limits.minStay)
    splitting = max(minStay, 2 * margin)
    onset = max(1, epochs(TruthAhead.onset))
    let over = truth.start.nanoseconds % interval.nanosecondsClamped
    time = over == 0 ? truth.start : truth.start - Seconds(Double(over) / 1e9) + interval
    sampled = time
  }

  mutating func next() -> TruthPiece? { ready.isEmpty ? nil : ready.removeFirst() }

  mutating func read(until end: UTCInstant) {
    while time < end {
      if let state = truth.state(at: time) {
        sampled = time
        take(state)
      } else if truth.hasEnded {
        return
      } else {
        finish()
      }
      time = time + interval
    }
  }

  /// The truth after this is not continuous.
  mutating func finish() {
    if case .resting(let since, let begins, let isStay) = state {
      rest(since..<samples.count, begins: begins, ends: false, isStay: isStay)
    }
    close(through: samples.count)
    samples.removeAll()
    state = .unknown
    fast = 0
  }

  private mutating func take(_ truth: TrueState) {
    samples.append(TruthPiece.Sample(position: truth.position, progress: progress(truth)))
    fast = truth.speed > TruthAhead.movingSpeed ? fast + 1 : 0
    switch state {
    case .unknown:
      state = fast > 0 ? .moving : .resting(since: 0, begins: false, isStay: false)
    case .moving:
      if fast == 0 {
        state = .resting(since: samples.count - 1, begins: true, isStay: false)
      } else if samples.count >= Int(Self.maxLength / interval) {
        close(through: samples.count)
        samples.removeAll()
      }
    case .resting(let since, let begins, let isStay):
      let end = samples.count - onset
      if fast >= onset {
        rest(since..<max(since, end), begins: begins, ends: true, isStay: isStay)
        state = .moving
      } else if samples.count - since >= splitting {
        split(since, begins: begins)
      }
    }
  }

  private func progress(_ truth: TrueState) -> Seconds {
    switch truth.reception {
    case .open: interval
    case .street: interval * SatelliteSearch.streetPace
    case .indoors: interval * (walls.share(at: truth.position) * SatelliteSearch.luck.upperBound)
    case .none: 0
    }
  }

  /// Ends a piece in a long rest, or drops the part of the rest that is no longer relevant.
  private mutating func split(_ since: Int, begins: Bool) {
    if begins {
      rest(since..<since + margin, begins: true, ends: false, isStay: true)
      close(through: since + margin)
    }
    samples.removeFirst(samples.count - margin)
    state = .resting(since: 0, begins: false, isStay: true)
  }

  private mutating func rest(_ range: Range<Int>, begins: Bool, ends: Bool, isStay: Bool) {
    guard range.count >= bracket || isStay else { return }
    rests.append(
      TruthPiece.Rest(
        samples: range, isStay: isStay || range.count >= minStay, begins: begins, ends: ends))
  }

  private mutating func close(through count: Int) {
    defer { rests.removeAll() }
    guard count > 0 else { return }
    var kept = Array(samples.prefix(count))
    for rest in rests where rest.isStay {
      for index in rest.samples { kept[index].isUnderWay = false }
    }
    ready.append(
      TruthPiece(
        start: sampled - interval * Double(samples.count - 1), interval: interval, samples: kept,
        rests: rests, bracket: bracket))
  }
}
