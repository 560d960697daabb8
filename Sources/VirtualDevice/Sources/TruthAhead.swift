import Core

/// Reads the truth ahead of the board's clock, once for all sources, and divides it into movements
/// and rests.
///
/// A movement begins where the speed exceeds 0.5 m/s and keeps to that for 3 s, and ends where it
/// falls below. Stays that the truth knows as such are passed in steps of five minutes, everything
/// else second by second. What was read and not yet passed by the clock is bounded: an hour and a
/// quarter.
struct TruthAhead {
  static let movingSpeed: MetresPerSecond = 0.5
  /// For so long the speed has to keep above that.
  static let onset: Seconds = 3
  /// Pieces are no longer than this.
  static let maxMovement: Seconds = .minutes(5)
  static let maxRest: Seconds = .minutes(10)

  private let truth: any GroundTruth
  private var time: UTCInstant
  private var spell: Spell?
  /// Moments that are fast enough, but too few yet for a movement.
  private var onsets: [Spell.Moment] = []
  /// Where the speed passed the limit before them.
  private var crossing: UTCInstant
  private var last: Spell.Moment?
  private(set) var hasEnded = false

  /// - Parameter truth: of its own; nobody else queries it.
  init(_ truth: any GroundTruth, from start: UTCInstant) {
    self.truth = truth
    time = start
    crossing = start
  }

  /// The next piece; nil when the truth has ended.
  mutating func next() -> Spell? {
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

  private mutating func finish() -> Spell? {
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
      // The moment at which it sets off is met exactly.
      if settled > time, settled < next { next = settled }
    }
    if let end = truth.end, time < end { next = min(next, end) }
    time = next
  }

  /// Takes one moment in. Returns the piece that has come to its end with it.
  private mutating func take(_ state: TrueState?) -> Spell? {
    guard let state else {
      onsets = []
      last = nil
      return enter(.unknown, at: time)
    }
    let moment = Spell.Moment(state, at: time)
    defer { last = moment }
    let isFast = moment.speed > Self.movingSpeed
    let isMoving = spell?.kind == .moving
    guard isFast else {
      // What was too short for a movement was part of the rest.
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
      // Until it is known to be a movement there is no rest either, where there was nothing before.
      return spell == nil || spell?.kind == .unknown ? enter(.resting, at: crossing) : nil
    }
    let closed = enter(.moving, at: crossing)
    for moment in onsets { spell?.see(moment) }
    onsets = []
    return closed
  }

  /// Where the speed passed the limit between the moment before and this one.
  private func passing(_ moment: Spell.Moment) -> UTCInstant {
    guard let last, moment.time > last.time else { return moment.time }
    let change = (moment.speed - last.speed).value
    guard change != 0 else { return moment.time }
    let share = (Self.movingSpeed - last.speed).value / change
    return last.time + (moment.time - last.time) * min(max(share, 0), 1)
  }

  /// Goes on with what there is, or with a new piece. Returns the old one if that has ended.
  private mutating func enter(_ kind: Spell.Kind, at moment: UTCInstant) -> Spell? {
    guard var old = spell else {
      spell = Spell(kind, from: moment, isContinued: false)
      return nil
    }
    let longest = kind == .moving ? Self.maxMovement : Self.maxRest
    guard old.kind != kind || moment - old.begins >= longest else {
      spell?.ends = moment
      return nil
    }
    old.ends = max(moment, old.begins)
    spell = Spell(kind, from: old.ends, isContinued: old.kind == kind)
    return old
  }
}
