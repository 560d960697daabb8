import Core
import Records

/// Brings together what was heard and where the board was by a good fix at that moment: each pair
/// is a lesson for the radio map. Pure and small; whoever runs the loop has three things to do:
///
/// ```
/// learner.heard(neighbourhood, at: now)          // at each scan, its age taken off `now`
/// learner.serves(cell: pseudonym)                // at each change of the serving cell
/// if let lesson = learner.located(fix, at: now)  // at each believed fix
/// // let known = map.places(of: lesson.pseudonyms); map.save(lesson.applied(to: known), …)
/// ```
///
/// A scan teaches once, by the best good fix so far within `nearness` of it, whichever comes first.
public struct RadioMapLearner: Sendable {
  /// A scan and a fix belong together if they are no farther apart.
  public static let nearness: Seconds = 15
  /// Fixes while a cell serves teach about it so often at most.
  static let cellPause: Seconds = .minutes(5)

  private var scan: (neighbourhood: Neighbourhood, at: BootInstant)?
  private var fix: (fix: TrainingFix, at: BootInstant)?
  private var cell: Int64?
  private var cellTaught: BootInstant?

  public init() {}

  /// - Parameter moment: when it was heard, which may lie before the latest fix.
  /// - Returns: a lesson, if a good fix was near enough.
  public mutating func heard(_ neighbourhood: Neighbourhood, at moment: BootInstant)
    -> RadioMapSample?
  {
    guard !neighbourhood.hearings.isEmpty else { return nil }
    if let scan, scan.at >= moment { return nil }
    scan = (neighbourhood, moment)
    return pair()
  }

  /// - Parameter cell: its pseudonym; nil: none serves, or it is not known which.
  public mutating func serves(cell: Int64?) {
    guard cell != self.cell else { return }
    self.cell = cell
    cellTaught = nil
  }

  public mutating func located(_ fix: TrainingFix, at moment: BootInstant) -> RadioMapSample? {
    var lesson: RadioMapSample?
    if fix.teachesAccessPoints {
      // Of the fixes of one look, the best one stays.
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

/// What was heard, and where: what the radio map learns from.
public struct RadioMapSample: Hashable, Sendable {
  public let hearings: [Hearing]
  /// The cell that served.
  public let cell: Int64?
  public let fix: TrainingFix

  public init(hearings: [Hearing], cell: Int64?, fix: TrainingFix) {
    self.hearings = hearings
    self.cell = cell
    self.fix = fix
  }

  /// What has to be looked up for it.
  public var pseudonyms: [Int64] { hearings.map(\.pseudonym) }

  /// The access points as they are known after it, to be saved.
  ///
  /// - Parameter known: what was known of them before; what was not heard is passed over.
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

  /// The cell as it is known after it; nil where none served.
  public func applied(to known: LearntCell?) -> LearntCell? {
    guard let cell else { return nil }
    guard var learnt = known, learnt.pseudonym == cell else {
      return LearntCell(pseudonym: cell, at: fix)
    }
    learnt.hear(at: fix)
    return learnt
  }
}
