import Core
import Records

/// The sources of evidence that the board has: who of them is trusted, and what each makes of what
/// the others found out.
struct EvidenceSources: Sendable {
  private let names: [String]
  private(set) var motion: MotionWatch?
  private(set) var network: NetworkWatch?
  private(set) var wifi: FingerprintWatch?
  private(set) var cell: CellWatch?
  private var ignition: AlarmRecord?
  private var coarse = CoarseWatch()

  init(_ names: [String]) {
    self.names = names
    func one<Watch>(_ name: String, _ watch: Watch) -> Watch? {
      names.contains(name) ? watch : nil
    }
    motion = one(Self.motionName, MotionWatch())
    network = one(Self.networkName, NetworkWatch())
    wifi = one(Self.wifiName, FingerprintWatch())
    cell = one(Self.cellName, CellWatch())
    ignition = one(Self.ignitionName, AlarmRecord())
  }

  private static let motionName = "motion"
  private static let networkName = "network"
  private static let wifiName = "wifi"
  private static let cellName = "cell"
  private static let ignitionName = "ignition"

  // MARK: What is known

  /// Whether the board has none.
  var isEmpty: Bool { names.isEmpty }

  var isMotionTrusted: Bool { motion?.isTrusted ?? false }

  var isNetworkTrusted: Bool { network?.isTrusted ?? false }

  /// Whether an edge has come so lately that it may be the first of a departure.
  func isStirring(at now: BootInstant) -> Bool {
    motion?.lastEdge.map { now - $0 < MotionWatch.quiet } ?? false
  }

  /// One for each name. What only tells locations vouches for nothing.
  var standings: [SourceHealth] {
    names.map { name in
      func standing(_ isTrusted: Bool, _ right: Int, _ wrong: Int) -> SourceHealth {
        SourceHealth(
          name: name, isTrusted: isTrusted, confirmations: right, contradictions: wrong)
      }
      let known: SourceHealth? =
        switch name {
        case Self.motionName:
          motion.map {
            standing($0.isTrusted, $0.trust.confirmations, $0.trust.contradictions)
          }
        case Self.networkName:
          network.map { standing($0.isTrusted, $0.confirmations, $0.contradictions) }
        case Self.wifiName:
          wifi.map { standing($0.trust.isTrusted, $0.trust.confirmations, $0.trust.contradictions) }
        case Self.cellName:
          cell.map { standing($0.alarm.isTrusted, $0.alarm.right, $0.alarm.wrong) }
        case Self.ignitionName: ignition.map { standing($0.isTrusted, $0.right, $0.wrong) }
        default: nil
        }
      return known ?? standing(false, 0, 0)
    }
  }

  /// Other settings, the same board: those that both have go on.
  mutating func inherit(from other: EvidenceSources) {
    if motion != nil { motion = other.motion ?? motion }
    if network != nil { network = other.network ?? network }
    if wifi != nil { wifi = other.wifi ?? wifi }
    if cell != nil { cell = other.cell ?? cell }
    if ignition != nil { ignition = other.ignition ?? ignition }
    coarse = other.coarse
  }

  // MARK: What they say

  /// What it means for a board of which so much is known.
  enum Meaning: Hashable, Sendable {
    case nothing
    /// Something has changed that is worth a look.
    case alarm
    /// It is felt to move since then.
    case moves(since: BootInstant)
    case scanned(FingerprintWatch.Verdict)
  }

  mutating func heard(
    _ evidence: Evidence, isResting: Bool, at now: BootInstant
  ) -> Meaning {
    switch evidence {
    case .motion:
      guard let began = motion?.edge(at: now) else { return .nothing }
      if isMotionTrusted || !isResting { return .moves(since: began) }
      return motion?.takeCredit() ?? false ? .alarm : .nothing
    case .network(let name):
      let isAlarm = network?.joined(name, isResting: isResting, at: now) ?? false
      return isAlarm ? .alarm : .nothing
    case .ignition:
      // A motor that idles goes nowhere, and a motion sensor knows.
      guard !isMotionTrusted else { return .nothing }
      return ignition?.call(at: now) ?? false ? .alarm : .nothing
    case .accessPoints(let scan):
      guard isResting else {
        wifi?.failed(at: now)
        return .nothing
      }
      return .scanned(wifi?.heard(scan.signals, at: now - scan.age) ?? .unclear)
    case .cell(let name):
      let isNews = cell?.serves(name, isResting: isResting, at: now) ?? false
      return isNews && !isMotionTrusted && !isNetworkTrusted ? .alarm : .nothing
    // A location is an event of its own.
    case .location: return .nothing
    }
  }

  /// - Returns: whether a coarse location is worth a look.
  mutating func located(
    coarsely location: Location, isResting: Bool, at now: BootInstant
  ) -> Bool {
    let isNews = coarse.located(location, isResting: isResting, at: now)
    return isNews && !isMotionTrusted && !isNetworkTrusted
  }

  /// A source of that name has failed.
  mutating func lost(_ source: String, at now: BootInstant) {
    switch source {
    case Self.motionName: motion?.lost()
    case Self.networkName: network?.lost()
    case Self.wifiName: wifi?.failed(at: now)
    // The others vouch for nothing: they only call for looks.
    default: break
    }
  }

  // MARK: Scans

  /// Whether scans tell whether the board is still where it rests.
  func isScanTelling(at now: BootInstant) -> Bool { wifi?.isTelling(at: now) ?? false }

  /// When a scan is worth it at a board that rests; nil: others know better.
  func scanDue(restingSince since: BootInstant) -> BootInstant? {
    isMotionTrusted || isNetworkTrusted ? nil : wifi?.due(restingSince: since)
  }

  /// The name of the source that is to be asked now; nil: none.
  mutating func takeScan(restingSince since: BootInstant, at now: BootInstant) -> String? {
    guard let due = scanDue(restingSince: since), now >= due else { return nil }
    return wifi?.ask(at: now) ?? false ? Self.wifiName : nil
  }

  // MARK: What was found out

  mutating func located(_ location: Location) {
    network?.located(at: location.position, accuracy: location.accuracy)
  }

  /// The board was found so far from where it was at `since`.
  /// - Parameter rest: when it had come to rest.
  mutating func displaced(
    by distance: Metres, since: BootInstant, afterRestSince rest: BootInstant, at now: BootInstant
  ) {
    motion?.displaced(by: distance, since: since, afterRestSince: rest)
    network?.moved()
    wifi?.displaced(by: distance, at: now)
    cell?.moved()
    ignition?.moved()
    coarse.moved()
  }

  /// The board rests elsewhere, as a scan said; it was not located.
  mutating func leftUnseen() {
    wifi?.leave()
    cell?.moved()
    coarse.moved()
  }

  /// The board was found by a location where it has been since then.
  mutating func stayed(since place: BootInstant, at now: BootInstant) {
    motion?.notDisplaced(since: place, at: now)
    wifi?.stayed()
    seenUnchanged(at: now)
  }

  /// A look has found no sky.
  mutating func notSeen(at now: BootInstant) {
    motion?.notSeen(at: now)
    network?.notContradicted()
  }

  /// As far as the sky tells the board is where it was.
  mutating func stayedUnseen(at now: BootInstant) {
    wifi?.notContradicted()
    seenUnchanged(at: now)
  }

  private mutating func seenUnchanged(at now: BootInstant) {
    network?.stayed(at: now)
    cell?.stayed(at: now)
    ignition?.stayed(at: now)
    coarse.stayed(at: now)
  }

  mutating func timePassed(at now: BootInstant) { motion?.timePassed(at: now) }

  /// What was felt was no journey.
  mutating func startedFalsely(at now: BootInstant) { motion?.startedFalsely(at: now) }
}

// MARK: Over a restart

extension EvidenceSources {
  /// What was learnt of each source.
  var snapshot: JSONValue {
    func learnt<Watch>(
      _ name: String, _ watch: Watch?, _ fields: SnapshotFields<Watch>
    ) -> [(name: String, value: JSONValue)] {
      watch.map { [(name, fields.snapshot(of: $0))] } ?? []
    }
    return .object(
      learnt(Self.motionName, motion, MotionWatch.fields)
        + learnt(Self.networkName, network, NetworkWatch.fields)
        + learnt(Self.wifiName, wifi, FingerprintWatch.fields)
        + learnt(Self.cellName, cell, CellWatch.fields)
        + learnt(Self.ignitionName, ignition, AlarmRecord.fields))
  }

  /// Goes on with what an earlier run learnt of the sources that there are now. What is damaged is
  /// learnt anew.
  mutating func restore(_ snapshot: JSONValue?) {
    func learnt<Watch>(
      _ name: String, _ watch: Watch?, _ fields: SnapshotFields<Watch>
    ) -> Watch? {
      watch.map { fields.restored(snapshot?[name], onto: $0) ?? $0 }
    }
    motion = learnt(Self.motionName, motion, MotionWatch.fields)
    network = learnt(Self.networkName, network, NetworkWatch.fields)
    wifi = learnt(Self.wifiName, wifi, FingerprintWatch.fields)
    cell = learnt(Self.cellName, cell, CellWatch.fields)
    ignition = learnt(Self.ignitionName, ignition, AlarmRecord.fields)
  }
}
