import Core
import Records

/// Combines what was received with a good fix at the same time: each pair is a sample for the radio
/// map. Pure and small; the event loop makes three calls:
///
/// ```
/// learner.heard(neighbourhood, at: now)          // at each scan, its age taken off `now`
/// learner.serves(cell: pseudonym)                // at each change of the serving cell
/// if let lesson = learner.located(fix, at: now)  // at each accepted fix
/// // let known = map.places(of: lesson.pseudonyms); map.save(lesson.applied(to: known), …)
/// ```
///
/// A scan is used once, with the best good fix so far within `nearness`, before or after it.
public struct RadioMapLearner: Sendable {
  /// The largest time between a scan and a fix that belong together.
  public static let nearness: Seconds = 15
  /// The minimum interval between two samples of a serving cell.
  static let cellPause: Seconds = .minutes(5)

  private var scan: (neighbourhood: Neighbourhood, at: BootInstant)?
  private var fix: (fix: TrainingFix, at: BootInstant)?
  private var cell: Int64?
  private var cellTaught: BootInstant?

  public init() {}

  /// - Parameter moment: the time of the scan, which may be before the latest fix.
  /// - Returns: a sample, if a good fix was close enough in time.
  public mutating func heard(_ neighbourhood: Neighbourhood, at moment: BootInstant)
    -> RadioMapSample?
  {
    guard !neighbourhood.hearings.isEmpty else { return nil }
    if let scan, scan.at >= moment { return nil }
    scan = (neighbourhood, moment)
    return pair()
  }

  /// - Parameter cell: its pseudonym; nil: none serves, or it is unknown.
  public mutating func serves(cell: Int64?) {
    guard cell != self.cell else { return }
    self.cell = cell
    cellTaught = nil
  }

  public mutating func located(_ fix: TrainingFix, at moment: BootInstant) -> RadioMapSample? {
    var lesson: RadioMapSample?
    if fix.teachesAccessPoints {
      // Of the fixes of one fix attempt, the best one is kept.
      let hasBetter =
        self.fix.map { moment - $0.at < Self.nearness && $0.fix.accuracy < fix.accuracy } ?? false
      if !hasBetter { self.fix = (fix, moment) }
      lesson = pair()
    }
    guard let cell, cellTaught.map({ moment - $0 >= Self.cellPause }) ?? true else {
      return lesson
    }
    cellTaught = moment
    return RadioMapSample(hearings: lesson?.hearings ?? [], cell: cell, fix: lesson?.fix ?? fix)
  }

  private mutating func pair() -> RadioMapSample? {
    guard let scan, let fix, (scan.at - fix.at).magnitude <= Self.nearness else { return nil }
    self.scan?.neighbourhood = Neighbourhood.nothing
    guard !scan.neighbourhood.hearings.isEmpty else { return nil }
    return RadioMapSample(hearings: scan.neighbourhood.hearings, cell: nil, fix: fix.fix)
  }
}

/// A sample for the radio map: what was received, and where.
public struct RadioMapSample: Hashable, Sendable {
  public let hearings: [Hearing]
  /// The serving cell.
  public let cell: Int64?
  public let fix: TrainingFix

  public init(hearings: [Hearing], cell: Int64?, fix: TrainingFix) {
    self.hearings = hearings
    self.cell = cell
    self.fix = fix
  }

  /// The rows that have to be looked up for it.
  public var pseudonyms: [Int64] { hearings.map(\.pseudonym) }

  /// The rows of the access points after learning from this sample, to be stored.
  ///
  /// - Parameter known: the rows before; access points outside the sample are ignored.
  public func applied(to known: [AccessPointPlace]) -> [AccessPointPlace] {
    var before: [Int64: AccessPointPlace] = [:]
    for place in known { before[place.pseudonym] = place }
    return hearings.map { hearing in
      guard var place = before[hearing.pseudonym] else {
        return AccessPointPlace(hearing, at: fix)
      }
      place.hear(hearing.strength, at: fix)
      return place
    }
  }

  /// The cell's row after learning from this sample; nil if there is no serving cell.
  public func applied(to known: LearntCell?) -> LearntCell? {
    guard let cell else { return nil }
    guard var learnt = known, learnt.pseudonym == cell else {
      return LearntCell(pseudonym: cell, at: fix)
    }
    learnt.hear(at: fix)
    return learnt
  }
}
