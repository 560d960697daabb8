import Core
import RadioSignals
import Records
import VirtualDevice

/// Learns access points on every other day of simulated lives, and locates the board on the others.
public struct NeighbourhoodStudy {
  /// One scan that yielded a location.
  public struct Trial: Sendable {
    public var error: Metres
    public var accuracy: Metres
    public var accessPoints: Int
    public var isUnderRoof: Bool
    public var place: Place
  }

  /// A square of a hundred metres, in one life: what is learnt there, and its error, is the same in
  /// every trial.
  public struct Place: Hashable, Sendable {
    fileprivate let life: Int
    fileprivate let row: Int
    fileprivate let column: Int
  }

  public private(set) var trials: [Trial] = []
  /// Scans of the trial days that received any access point.
  public private(set) var scans = 0
  private var lives = 0

  private let salted = Pseudonyms(salt: [UInt8](repeating: 7, count: 16))
  /// Computed once each: without optimization, hashing would be most of a study's time.
  private var pseudonyms: [String: Int64] = [:]

  public init() {}

  /// - Parameter days: even and odd days are the two halves.
  public mutating func add(
    _ life: Life, days: Int, seed: UInt64, world: AccessPointWorld = AccessPointWorld()
  ) {
    lives += 1
    var map: [Int64: AccessPointPlace] = [:]
    let start = UTCInstant(nanoseconds: 1_780_272_000_000_000_000)
    var trialsHere: [Survey.Sample] = []
    for look in Survey(of: life, from: start, days: days, seed: seed, world: world) {
      let day = Int((look.time - start) / .days(1))
      guard day % 2 == 0 else {
        trialsHere.append(look)
        continue
      }
      learn(look, &map)
    }
    for look in trialsHere { attempt(look, map) }
  }

  private mutating func learn(_ look: Survey.Sample, _ map: inout [Int64: AccessPointPlace]) {
    guard
      let fix = TrainingFix(
        time: look.time, position: look.fix, accuracy: look.accuracy, speed: look.speed),
      fix.isUsableForAccessPoints
    else { return }
    let lesson = RadioMapSample(
      hearings: neighbourhood(look.scan).signals, cell: nil, fix: fix)
    for place in lesson.applied(to: lesson.pseudonyms.compactMap { map[$0] }) {
      map[place.pseudonym] = place
    }
  }

  private mutating func attempt(_ look: Survey.Sample, _ map: [Int64: AccessPointPlace]) {
    let neighbourhood = neighbourhood(look.scan)
    guard !neighbourhood.signals.isEmpty else { return }
    scans += 1
    guard
      let found = FingerprintPosition(
        of: neighbourhood, among: neighbourhood.pseudonyms.compactMap { map[$0] })
    else { return }
    trials.append(
      Trial(
        error: Sphere.distance(found.position, look.truth), accuracy: found.accuracy,
        accessPoints: found.accessPoints,
        isUnderRoof: look.reception.rawValue >= Reception.indoors.rawValue,
        place: place(look.truth)))
  }

  private mutating func neighbourhood(_ scan: AccessPointScan) -> RadioFingerprint {
    RadioFingerprint(scan) { bssid in
      if let known = pseudonyms[bssid] { return known }
      let new = salted.of(bssid)
      pseudonyms[bssid] = new
      return new
    }
  }

  private func place(_ truth: Coordinate) -> Place {
    Place(
      life: lives, row: Int((truth.latitude.value / 0.0009).rounded()),
      column: Int((truth.longitude.value / 0.0014).rounded()))
  }
}

/// The summary of a study's trials.
public struct TrialSummary: Sendable {
  public let count: Int
  public let median: Metres
  public let p90: Metres
  public let medianRadius: Metres
  /// The number of distinct places.
  public let places: Int
  /// The share of them whose radius contained the truth, each place counting once: nights at a few
  /// homes are most of the scans.
  public let coverage: Double
  /// The same, each scan counting once.
  public let coverageOfScans: Double

  public init(_ trials: [NeighbourhoodStudy.Trial]) {
    count = trials.count
    let errors = trials.map(\.error).sorted()
    median = errors.isEmpty ? 0 : errors[errors.count / 2]
    p90 = errors.isEmpty ? 0 : errors[errors.count * 9 / 10]
    let radii = trials.map(\.accuracy).sorted()
    medianRadius = radii.isEmpty ? 0 : radii[radii.count / 2]
    let held = Dictionary(grouping: trials, by: \.place).values.map { trials in
      Double(trials.count { $0.error <= $0.accuracy }) / Double(trials.count)
    }
    places = held.count
    coverage = held.reduce(0, +) / Double(max(1, places))
    coverageOfScans =
      Double(trials.count { $0.error <= $0.accuracy }) / Double(max(1, trials.count))
  }
}
