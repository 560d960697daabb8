import Core
import Records

/// The coarse sources: when each is asked, which of their locations are believed, and which are
/// taken back because GNSS knew better.
struct CoarseTracking: Sendable {
  /// One source, by its name.
  private struct Source {
    let name: String
    let delivery: CoarseDelivery
    /// When it was asked, while it has not answered.
    var asked: BootInstant?
    var next = BootInstant.zero
  }

  /// What answers each question is asked at most so often.
  private static let answerPause: Seconds = 60

  private let settings: CoarseSettings
  private var sources: [Source]
  private var judge: CoarseLocationFilter
  /// The locations that wait for something better with a similar time, oldest first.
  private var replaceable: [Location] = []
  private static let mostReplaceable = 16
  private var way = CoarsePlausibility()
  /// What the board was connected to last.
  private var accessPoint: (name: String, seen: BootInstant)?
  /// When those that answer each question are wanted; nil: they are not.
  private var answersDue: BootInstant?
  /// Whether they ever were: else what they hear need not be learnt.
  private var hasWantedAnswers = false
  private var survey = Survey()
  private var rate = SignificantRate()
  /// The last location that was believed, and has not been taken back.
  private(set) var newest: Location?

  init(_ settings: CoarseSettings, sources: [CoarseSource]) {
    self.settings = settings
    self.sources = sources.map { Source(name: $0.name, delivery: $0.delivery) }
    judge = CoarseLocationFilter(settings)
  }

  /// Whether an answer is waited for.
  var isAsking: Bool { sources.contains { $0.asked != nil } }

  // MARK: Asking

  /// Asks every source that is due.
  /// - Parameter answersDue: when somebody wants a location of those that answer each question.
  mutating func ask(_ step: inout Turn, answersDue: BootInstant? = nil) {
    self.answersDue = answersDue
    if answersDue != nil { hasWantedAnswers = true }
    for index in sources.indices {
      guard let due = due(sources[index]), step.now >= due else { continue }
      sources[index].asked = step.now
      step.perform(.scan(source: sources[index].name))
    }
  }

  /// When the next source is to be asked, or asked again; nil: there is none.
  var nextAsking: BootInstant? { sources.compactMap(due).min() }

  private func due(_ source: Source) -> BootInstant? {
    switch source.delivery {
    case .significantChanges:
      return source.asked.map { $0 + settings.askAgainAfter } ?? source.next
    // It tells what it can.
    case .occasional: return nil
    case .whenAsked:
      guard let answersDue else { return nil }
      let next = source.asked.map { max($0 + Self.answerPause, source.next) } ?? source.next
      return max(next, answersDue)
    }
  }

  mutating func failed(_ name: String, at now: BootInstant) {
    guard let index = sources.firstIndex(where: { $0.name == name }) else { return }
    sources[index].asked = nil
    sources[index].next = now + settings.retryAfter
  }

  // MARK: Answers

  /// An answer that is believed.
  struct Believed {
    var location: Location
    /// As it is stored.
    var observation: CoarseObservation
    /// Whether it may become part of the trajectory: not where GNSS has just known better.
    var isKept: Bool
  }

  /// An answer has come. Says whether it is to be taken in: sources that tell locations without
  /// being asked may do so more often than is wanted.
  mutating func admits(
    _ answer: CoarseObservation, from name: String, at now: BootInstant
  ) -> Bool {
    guard let index = sources.firstIndex(where: { $0.name == name }) else { return true }
    let wasAsked = sources[index].asked != nil
    sources[index].asked = nil
    switch sources[index].delivery {
    case .significantChanges: return true
    case .occasional: break
    case .whenAsked: sources[index].next = now + Self.answerPause
    }
    return rate.admits(answer, wasAsked: wasAsked, at: now)
  }

  /// A source has told what it hears; whether anything places the board by that was told before.
  mutating func answered(_ name: String, at now: BootInstant) {
    guard
      let index = sources.firstIndex(where: { $0.name == name && $0.delivery == .whenAsked })
    else { return }
    sources[index].asked = nil
    sources[index].next = now + Self.answerPause
  }

  /// Takes in an answer. Returns nil for one that is not believed, which is logged.
  ///
  /// - Parameter gnss: the last location that GNSS gave.
  mutating func take(
    _ answer: CoarseObservation, gnss: Location?, _ step: inout Turn
  ) -> Believed? {
    var observation = answer
    if let name = observation.accessPoint { accessPoint = (name, observation.received) }
    observation.time = observation.time ?? step.date(at: observation.received)
    var isKept = true
    let location: Location
    switch judge.judge(observation, time: observation.time) {
    case .accurate(let accurate): location = accurate
    case .keptUntilBetter(let rough):
      location = rough
      isKept = !isKnownBetter(rough, by: gnss)
    case .discarded(let why):
      step.log(.coarseDiscarded, why)
      return nil
    }
    if let why = way.objection(to: location) {
      step.log(.coarseDiscarded, why)
      return nil
    }
    follow(location, &step)
    newest = location
    if isKept, location.accuracy > settings.accurate {
      replaceable.append(location)
      if replaceable.count > Self.mostReplaceable { replaceable.removeFirst() }
    }
    return Believed(location: location, observation: observation, isKept: isKept)
  }

  /// The next location may show that the one before was wrong.
  private mutating func follow(_ location: Location, _ step: inout Turn) {
    guard let wrong = way.take(location) else { return }
    if newest?.time == wrong.time { newest = nil }
    step.log(
      .coarseDiscarded, "taken back: those before and after it lie together, far from it")
    step.store(.trackPointReplaced(time: wrong.time))
    replaceable.removeAll { $0.time == wrong.time }
  }

  /// "We keep these locations unless we get a more accurate location, with a similar timestamp,
  /// using GPS" (section 2.2 (3)). The same for the GNSS location that came first: where it lies
  /// within the coarse one's error, the board may well still be there, and the coarse one would
  /// only bend the trajectory.
  private func isKnownBetter(_ coarse: Location, by gnss: Location?) -> Bool {
    guard let gnss else { return false }
    return (coarse.time - gnss.time).magnitude <= settings.similarTime
      && gnss.accuracy < coarse.accuracy
      && Sphere.distance(gnss.position, coarse.position) <= coarse.accuracy
  }

  /// GNSS has given a location: it may replace coarse ones, and tells where the access point is.
  mutating func located(by gnss: Location, _ step: inout Turn) {
    follow(gnss, &step)
    for coarse in replaceable
    where (gnss.time - coarse.time).magnitude <= settings.similarTime
      && gnss.accuracy < coarse.accuracy
    {
      step.store(.trackPointReplaced(time: coarse.time))
    }
    replaceable = []
    surveyIfWorthwhile(gnss, &step)
    if let accessPoint, step.now - accessPoint.seen <= settings.similarTime {
      judge.learn(accessPoint: accessPoint.name, at: gnss.position)
    }
  }

  /// Where GNSS has just told the place, what is heard there is worth learning.
  private mutating func surveyIfWorthwhile(_ gnss: Location, _ step: inout Turn) {
    guard hasWantedAnswers, survey.isWorthwhile(at: gnss, now: step.now) else { return }
    for index in sources.indices
    where sources[index].delivery == .whenAsked && step.now >= sources[index].next {
      sources[index].asked = step.now
      step.perform(.scan(source: sources[index].name))
    }
  }

  /// The access points that were learnt; nil: none.
  var snapshot: JSONValue? { judge.hasLearnt ? judge.snapshot : nil }

  /// Goes on with the access points of an earlier run, as far as they can be understood.
  mutating func restore(_ snapshot: JSONValue?) { judge.restore(snapshot) }

  /// Settings have changed, what the board is connected to has not.
  mutating func inherit(from other: CoarseTracking) { accessPoint = other.accessPoint }
}
