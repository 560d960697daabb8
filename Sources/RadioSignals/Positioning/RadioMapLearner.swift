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
/// A scan is used once, with the best good fix so far within `matchWindow`, before or after it.
public struct RadioMapLearner: Sendable {
  /// The largest time between a scan and a fix that belong together.
  static let matchWindow: Seconds = 15
  /// The minimum interval between two samples of a serving cell.
  static let cellPause: Seconds = .minutes(5)

  private var scan: (neighbourhood: RadioFingerprint, at: BootInstant)?
  private var fix: (fix: TrainingFix, at: BootInstant)?
  private var cell: Int64?
  private var lastCellSample: BootInstant?

  public init() {}

  /// - Parameter moment: the time of the scan, which may be before the latest fix.
  /// - Returns: a sample, if a good fix was close enough in time.
  public mutating func received(_ neighbourhood: RadioFingerprint, at moment: BootInstant)
    -> RadioMapSample?
  {
    guard !neighbourhood.signals.isEmpty else { return nil }
    if let scan, scan.at >= moment { return nil }
    scan = (neighbourhood, moment)
    return pair()
  }

  /// - Parameter cell: its pseudonym; nil: none serves, or it is unknown.
  public mutating func serves(cell: Int64?) {
    guard cell != self.cell else { return }
    self.cell = cell
    lastCellSample = nil
  }

  public mutating func located(_ fix: TrainingFix, at moment: BootInstant) -> RadioMapSample? {
    var lesson: RadioMapSample?
    if fix.isUsableForAccessPoints {
      // Of the fixes of one fix attempt, the best one is kept.
      let hasBetter =
        self.fix.map { moment - $0.at < Self.matchWindow && $0.fix.accuracy < fix.accuracy }
        ?? false
      if !hasBetter { self.fix = (fix, moment) }
      lesson = pair()
    }
    guard let cell, lastCellSample.map({ moment - $0 >= Self.cellPause }) ?? true else {
      return lesson
    }
    lastCellSample = moment
    return RadioMapSample(hearings: lesson?.signals ?? [], cell: cell, fix: lesson?.fix ?? fix)
  }

  private mutating func pair() -> RadioMapSample? {
    guard let scan, let fix, (scan.at - fix.at).magnitude <= Self.matchWindow else { return nil }
    self.scan?.neighbourhood = RadioFingerprint.nothing
    guard !scan.neighbourhood.signals.isEmpty else { return nil }
    return RadioMapSample(hearings: scan.neighbourhood.signals, cell: nil, fix: fix.fix)
  }
}

/// A sample for the radio map: what was received, and where.
public struct RadioMapSample: Hashable, Sendable {
  public let signals: [PseudonymousSignal]
  /// The serving cell.
  public let cell: Int64?
  let fix: TrainingFix

  public init(hearings: [PseudonymousSignal], cell: Int64?, fix: TrainingFix) {
    self.signals = hearings
    self.cell = cell
    self.fix = fix
  }

  /// The rows that have to be looked up for it.
  public var pseudonyms: [Int64] { signals.map(\.pseudonym) }

  /// The rows of the access points after learning from this sample, to be stored.
  ///
  /// - Parameter known: the rows before; access points outside the sample are ignored.
  public func applied(to known: [AccessPointPlace]) -> [AccessPointPlace] {
    var before: [Int64: AccessPointPlace] = [:]
    for place in known { before[place.pseudonym] = place }
    return signals.map { hearing in
      guard var place = before[hearing.pseudonym] else {
        return AccessPointPlace(hearing, at: fix)
      }
      place.observe(hearing.strength, at: fix)
      return place
    }
  }

  /// The cell's row after learning from this sample; nil if there is no serving cell.
  public func applied(to known: LearntCell?) -> LearntCell? {
    guard let cell else { return nil }
    guard var learnt = known, learnt.pseudonym == cell else {
      return LearntCell(pseudonym: cell, at: fix)
    }
    learnt.observe(at: fix)
    return learnt
  }
}
