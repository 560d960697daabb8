import Core

/// Reads the truth ahead of the board's clock, once for all sources, and divides it into movements
/// and rests.
///
/// A movement begins where the speed exceeds 0.5 m/s and stays above it for 3 s, and ends where it
/// falls below. Stays that the truth marks as such are read in steps of five minutes, everything
/// else every second. The part that is ahead of the clock is limited to an hour and a quarter.
struct TruthAhead {
  static let movingSpeed: MetresPerSecond = 0.5
  /// How long the speed has to stay above that.
  static let onset: Seconds = 3
  /// Longer movements and rests are divided.
  static let maxMovement: Seconds = .minutes(5)
  static let maxRest: Seconds = .minutes(10)

  private let truth: any GroundTruth
  private var time: UTCInstant
  private var spell: TruthSegment?
  /// Fast moments, still too few for a movement.
  private var onsets: [TruthSegment.Moment] = []
  /// When the speed exceeded the limit before them.
  private var crossing: UTCInstant
  private var last: TruthSegment.Moment?
  private(set) var hasEnded = false

  /// - Parameter truth: for its exclusive use.
  init(_ truth: any GroundTruth, from start: UTCInstant) {
    self.truth = truth
    time = start
    crossing = start
  }

  /// The next piece; nil when the truth has ended.
  mutating func next() -> TruthSegment? {
    while !hasEnded {
      if let end = truth.end, time >= end { return finish() }
      let state = truth.state(at: time)
      if state == nil, truth.hasEnded { return finish() }
      let closed = take(state)
      step()
      if let closed { return closed }
    }
    return nil
  }

  private mutating func finish() -> TruthSegment? {
    hasEnded = true
    defer { spell = nil }
    guard var spell else { return nil }
    spell.ends = max(spell.begins, min(time, truth.end ?? time))
    return spell
  }

  private mutating func step() {
    var next = time + 1
    if onsets.isEmpty, spell?.kind != .moving, let settled = truth.settled(at: time) {
      next = max(next, min(settled, time + .minutes(5)))
      // Includes the exact moment of departure.
      if settled > time, settled < next { next = settled }
    }
    if let end = truth.end, time < end { next = min(next, end) }
    time = next
  }

  /// Processes one moment. Returns the piece that ends with it.
  private mutating func take(_ state: TrueState?) -> TruthSegment? {
    guard let state else {
      onsets = []
      last = nil
      return enter(.unknown, at: time)
    }
    let moment = TruthSegment.Moment(state, at: time)
    defer { last = moment }
    let isFast = moment.speed > Self.movingSpeed
    let isMoving = spell?.kind == .moving
    guard isFast else {
      // A movement that was too short belongs to the rest.
      onsets = []
      let closed = enter(.resting, at: isMoving ? passing(moment) : time)
      spell?.see(moment)
      return closed
    }
    if isMoving {
      let closed = enter(.moving, at: time)
      spell?.see(moment)
      return closed
    }
    if onsets.isEmpty { crossing = passing(moment) }
    onsets.append(moment)
    guard moment.time - crossing >= Self.onset else {
      // Until a movement is confirmed, a rest is assumed where there was nothing before.
      return spell == nil || spell?.kind == .unknown ? enter(.resting, at: crossing) : nil
    }
    let closed = enter(.moving, at: crossing)
    for moment in onsets { spell?.see(moment) }
    onsets = []
    return closed
  }

  /// When the speed crossed the limit between the previous moment and this one.
  private func passing(_ moment: TruthSegment.Moment) -> UTCInstant {
    guard let last, moment.time > last.time else { return moment.time }
    let change = (moment.speed - last.speed).value
    guard change != 0 else { return moment.time }
    let share = (Self.movingSpeed - last.speed).value / change
    return last.time + (moment.time - last.time) * min(max(share, 0), 1)
  }

  /// Continues the present piece, or begins a new one. Returns the old one if it has ended.
  private mutating func enter(_ kind: TruthSegment.Kind, at moment: UTCInstant) -> TruthSegment? {
    guard var old = spell else {
      spell = TruthSegment(kind, from: moment, isContinued: false)
      return nil
    }
    let longest = kind == .moving ? Self.maxMovement : Self.maxRest
    guard old.kind != kind || moment - old.begins >= longest else {
      spell?.ends = moment
      return nil
    }
    old.ends = max(moment, old.begins)
    spell = TruthSegment(kind, from: old.ends, isContinued: old.kind == kind)
    return old
  }
}
