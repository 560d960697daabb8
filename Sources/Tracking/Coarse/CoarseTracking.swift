import Core
import Records

/// The coarse sources: when each is queried, which of their locations are accepted, and which are
/// withdrawn because GNSS gave a better one.
struct CoarseTracking: Sendable {
  /// A source, identified by its name.
  private struct Source {
    let name: String
    let delivery: CoarseDelivery
    /// When it was queried; nil once it has answered.
    var requested: BootInstant?
    var next = BootInstant.zero
  }

  /// The minimum time between queries of a source that answers each query (`onRequest`).
  private static let answerPause: Seconds = 60

  private let settings: CoarseSettings
  private var sources: [Source]
  private var filter: CoarseLocationFilter
  /// Locations that a better one with a similar time may replace, oldest first.
  private var replaceable: [Location] = []
  private static let mostReplaceable = 16
  private var plausibility = CoarsePlausibility()
  /// The last access point that the board was connected to.
  private var accessPoint: (name: String, seen: BootInstant)?
  /// When a location of the `onRequest` sources is needed; nil: it is not.
  private var answersDue: BootInstant?
  /// Whether it ever was: otherwise there is no need to learn what they receive.
  private var hasWantedAnswers = false
  private var survey = ScanPlanner()
  private var rate = SignificantRate()
  /// The last accepted location that was not withdrawn.
  private(set) var newest: Location?

  init(_ settings: CoarseSettings, sources: [CoarseSource]) {
    self.settings = settings
    self.sources = sources.map { Source(name: $0.name, delivery: $0.delivery) }
    filter = CoarseLocationFilter(settings)
  }

  /// Whether an answer is pending.
  var isQueryPending: Bool { sources.contains { $0.requested != nil } }

  // MARK: Queries

  /// Queries every source that is due.
  /// - Parameter answersDue: when a location of the `onRequest` sources is needed.
  mutating func request(_ step: inout TrackerStep, answersDue: BootInstant? = nil) {
    self.answersDue = answersDue
    if answersDue != nil { hasWantedAnswers = true }
    for index in sources.indices {
      guard let due = due(sources[index]), step.now >= due else { continue }
      sources[index].requested = step.now
      step.perform(.scan(source: sources[index].name))
    }
  }

  /// The time of the next query or repeated query; nil: there is none.
  var nextAsking: BootInstant? { sources.compactMap(due).min() }

  private func due(_ source: Source) -> BootInstant? {
    switch source.delivery {
    case .significantChanges:
      return source.requested.map { $0 + settings.askAgainAfter } ?? source.next
    // It reports on its own.
    case .occasional: return nil
    case .onRequest:
      guard let answersDue else { return nil }
      let next = source.requested.map { max($0 + Self.answerPause, source.next) } ?? source.next
      return max(next, answersDue)
    }
  }

  mutating func failed(_ name: String, at now: BootInstant) {
    guard let index = sources.firstIndex(where: { $0.name == name }) else { return }
    sources[index].requested = nil
    sources[index].next = now + settings.retryAfter
  }

  // MARK: Answers

  /// An accepted answer.
  struct Accepted {
    var location: Location
    /// The observation as stored.
    var observation: CoarseObservation
    /// Whether it may become part of the trajectory: not where GNSS has just given a better
    /// location.
    var isKept: Bool
  }

  /// Handles the arrival of an answer. Returns whether it should be processed: sources that report
  /// unsolicited may do so more often than needed.
  mutating func admits(
    _ answer: CoarseObservation, from name: String, at now: BootInstant
  ) -> Bool {
    guard let index = sources.firstIndex(where: { $0.name == name }) else { return true }
    let wasAsked = sources[index].requested != nil
    sources[index].requested = nil
    switch sources[index].delivery {
    case .significantChanges: return true
    case .occasional: break
    case .onRequest: sources[index].next = now + Self.answerPause
    }
    return rate.admits(answer, wasAsked: wasAsked, at: now)
  }

  /// A source has reported the radios it receives. Any location derived from them was reported
  /// before.
  mutating func answered(_ name: String, at now: BootInstant) {
    guard
      let index = sources.firstIndex(where: { $0.name == name && $0.delivery == .onRequest })
    else { return }
    sources[index].requested = nil
    sources[index].next = now + Self.answerPause
  }

  /// Processes an answer. Returns nil for one that is rejected; the rejection is logged.
  ///
  /// - Parameter gnss: the last location that GNSS gave.
  mutating func take(
    _ answer: CoarseObservation, gnss: Location?, _ step: inout TrackerStep
  ) -> Accepted? {
    var observation = answer
    if let name = observation.accessPoint { accessPoint = (name, observation.received) }
    observation.time = observation.time ?? step.date(at: observation.received)
    var isKept = true
    let location: Location
    switch filter.evaluate(observation, time: observation.time) {
    case .accurate(let accurate): location = accurate
    case .keptUntilBetter(let rough):
      location = rough
      isKept = !isKnownBetter(rough, by: gnss)
    case .discarded(let why):
      step.log(.coarseDiscarded, why)
      return nil
    }
    if let why = plausibility.objection(to: location) {
      step.log(.coarseDiscarded, why)
      return nil
    }
    follow(location, &step)
    newest = location
    if isKept, location.accuracy > settings.accurate {
      replaceable.append(location)
      if replaceable.count > Self.mostReplaceable { replaceable.removeFirst() }
    }
    return Accepted(location: location, observation: observation, isKept: isKept)
  }

  /// The next location may show that the one before was wrong.
  private mutating func follow(_ location: Location, _ step: inout TrackerStep) {
    guard let wrong = plausibility.add(location) else { return }
    if newest?.time == wrong.time { newest = nil }
    step.log(
      .coarseDiscarded, "withdrawn: those before and after it are close together, far from it")
    step.store(.trackPointReplaced(time: wrong.time))
    replaceable.removeAll { $0.time == wrong.time }
  }

  /// "We keep these locations unless we get a more accurate location, with a similar timestamp,
  /// using GPS" (section 2.2 (3)). The same applies to an earlier GNSS location: where it lies
  /// within the coarse one's error, the board may well still be there, and the coarse location
  /// would only distort the trajectory.
  private func isKnownBetter(_ coarse: Location, by gnss: Location?) -> Bool {
    guard let gnss else { return false }
    return (coarse.time - gnss.time).magnitude <= settings.similarTime
      && gnss.accuracy < coarse.accuracy
      && Sphere.distance(gnss.position, coarse.position) <= coarse.accuracy
  }

  /// A GNSS location may replace coarse ones, and gives the position of the access point.
  mutating func located(by gnss: Location, _ step: inout TrackerStep) {
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
      filter.learn(accessPoint: accessPoint.name, at: gnss.position)
    }
  }

  /// With a GNSS position at hand, a scan of the radios here may be worth its energy.
  private mutating func surveyIfWorthwhile(_ gnss: Location, _ step: inout TrackerStep) {
    guard hasWantedAnswers, survey.isWorthwhile(at: gnss, now: step.now) else { return }
    for index in sources.indices
    where sources[index].delivery == .onRequest && step.now >= sources[index].next {
      sources[index].requested = step.now
      step.perform(.scan(source: sources[index].name))
    }
  }

  /// The learnt access points; nil: none.
  var snapshot: JSONValue? { filter.hasLearnt ? filter.snapshot : nil }

  /// Continues with the access points of an earlier run, where they can be decoded.
  mutating func restore(_ snapshot: JSONValue?) { filter.restore(snapshot) }

  /// The settings have changed, the access point has not.
  mutating func inherit(from other: CoarseTracking) { accessPoint = other.accessPoint }
}
