import Core
import Records

/// The board's sources of evidence: their reliability, and their reaction to each other's findings.
struct EvidenceSources: Sendable {
  private let names: [String]
  private(set) var motion: MotionWatch?
  private(set) var network: NetworkWatch?
  private(set) var wifi: FingerprintWatch?
  private(set) var cell: CellWatch?
  /// By the name of the source: the ignition, and those that have given a sign.
  private var alarms: [String: AlarmRecord] = [:]
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
    alarms[Self.ignitionName] = one(Self.ignitionName, AlarmRecord())
  }

  private static let motionName = "motion"
  private static let networkName = "network"
  private static let wifiName = "wifi"
  private static let cellName = "cell"
  private static let ignitionName = "ignition"
  /// Those with a watch of their own.
  private static let watched = [motionName, networkName, wifiName, cellName]

  // MARK: State

  /// Whether the board has no sources.
  var isEmpty: Bool { names.isEmpty }

  var isMotionTrusted: Bool { motion?.isTrusted ?? false }

  var isNetworkTrusted: Bool { network?.isTrusted ?? false }

  /// Whether a motion edge is so recent that it may be the first of a departure.
  func isStirring(at now: BootInstant) -> Bool {
    motion?.lastEdge.map { now - $0 < MotionWatch.quiet } ?? false
  }

  /// One entry per name. A source that only gives locations is never trusted.
  var sourceHealth: [SourceHealth] {
    names.map { name in
      func health(_ isTrusted: Bool, _ right: Int, _ wrong: Int) -> SourceHealth {
        SourceHealth(
          name: name, isTrusted: isTrusted, confirmations: right, contradictions: wrong)
      }
      let known: SourceHealth? =
        switch name {
        case Self.motionName:
          motion.map {
            health($0.isTrusted, $0.trust.confirmations, $0.trust.contradictions)
          }
        case Self.networkName:
          network.map { health($0.isTrusted, $0.confirmations, $0.contradictions) }
        case Self.wifiName:
          wifi.map { health($0.trust.isTrusted, $0.trust.confirmations, $0.trust.contradictions) }
        case Self.cellName:
          cell.map { health($0.alarm.isTrusted, $0.alarm.right, $0.alarm.wrong) }
        default: alarms[name].map { health($0.isTrusted, $0.right, $0.wrong) }
        }
      return known ?? health(false, 0, 0)
    }
  }

  /// With new settings for the same board, sources present in both keep their state.
  mutating func inherit(from other: EvidenceSources) {
    if motion != nil { motion = other.motion ?? motion }
    if network != nil { network = other.network ?? network }
    if wifi != nil { wifi = other.wifi ?? wifi }
    if cell != nil { cell = other.cell ?? cell }
    alarms.merge(other.alarms.filter { names.contains($0.key) }) { $1 }
    coarse = other.coarse
  }

  // MARK: Evidence

  /// The meaning of evidence in the present state.
  enum Meaning: Hashable, Sendable {
    case nothing
    /// A change that is worth a fix attempt.
    case alarm
    /// Movement is sensed since then.
    case moves(since: BootInstant)
    case scanned(FingerprintWatch.Verdict)
  }

  /// - Parameter source: its name, by which a sign counts.
  mutating func handle(
    _ evidence: Evidence, from source: String, isResting: Bool, at now: BootInstant
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
      // An idling engine goes nowhere; a trusted motion sensor detects the departure.
      guard !isMotionTrusted else { return .nothing }
      return alarms[Self.ignitionName]?.raise(at: now) ?? false ? .alarm : .nothing
    case .sign:
      guard !isMotionTrusted, names.contains(source) else { return .nothing }
      return alarms[source, default: AlarmRecord()].raise(at: now) ? .alarm : .nothing
    case .accessPoints(let scan):
      guard isResting else {
        wifi?.failed(at: now)
        return .nothing
      }
      return .scanned(wifi?.scanReceived(scan.signals, at: now - scan.age) ?? .unclear)
    case .cell(let name):
      let isNews = cell?.serves(name, isResting: isResting, at: now) ?? false
      return isNews && !isMotionTrusted && !isNetworkTrusted ? .alarm : .nothing
    // A location is a separate event.
    case .location: return .nothing
    }
  }

  /// - Returns: whether a coarse location is worth a fix attempt.
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
    // The others are never relied on: they only raise alarms.
    default: break
    }
  }

  // MARK: Scans

  /// Whether scans show if the board is still where it rests.
  func areScansConclusive(at now: BootInstant) -> Bool { wifi?.isConclusive(at: now) ?? false }

  /// When a scan is worth its energy for a board at rest; nil: better sources are trusted.
  func scanDue(restingSince since: BootInstant) -> BootInstant? {
    isMotionTrusted || isNetworkTrusted ? nil : wifi?.due(restingSince: since)
  }

  /// The name of the source to be queried now; nil: none.
  mutating func takeScan(restingSince since: BootInstant, at now: BootInstant) -> String? {
    guard let due = scanDue(restingSince: since), now >= due else { return nil }
    return wifi?.request(at: now) ?? false ? Self.wifiName : nil
  }

  // MARK: Findings

  mutating func located(_ location: Location) {
    network?.located(at: location.position, accuracy: location.accuracy)
  }

  /// The board was found at this distance from where it was at `since`.
  /// - Parameter rest: when it had come to rest.
  mutating func displaced(
    by distance: Metres, since: BootInstant, afterRestSince rest: BootInstant, at now: BootInstant
  ) {
    motion?.displaced(by: distance, since: since, afterRestSince: rest)
    network?.moved()
    wifi?.displaced(by: distance, at: now)
    cell?.moved()
    for name in alarms.keys { alarms[name]?.moved() }
    coarse.moved()
  }

  /// The board rests elsewhere according to a scan, without a location.
  mutating func leftUnseen() {
    wifi?.leave()
    cell?.moved()
    coarse.moved()
  }

  /// A location has shown that the board is where it has been since `place`.
  mutating func stayed(since place: BootInstant, at now: BootInstant) {
    motion?.notDisplaced(since: place, at: now)
    wifi?.stayed()
    seenUnchanged(at: now)
  }

  /// A fix attempt had no signal.
  mutating func attemptWithoutSignal(at now: BootInstant) {
    motion?.attemptWithoutSignal(at: now)
    network?.notContradicted()
  }

  /// Reception suggests that the board is where it was.
  mutating func stayedBySignal(at now: BootInstant) {
    wifi?.notContradicted()
    seenUnchanged(at: now)
  }

  private mutating func seenUnchanged(at now: BootInstant) {
    network?.stayed(at: now)
    cell?.stayed(at: now)
    for name in alarms.keys { alarms[name]?.stayed(at: now) }
    coarse.stayed(at: now)
  }

  mutating func timePassed(at now: BootInstant) { motion?.timePassed(at: now) }

  /// The sensed movement was not a journey.
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
    let signs = alarms.sorted { $0.key < $1.key }
    return .object(
      learnt(Self.motionName, motion, MotionWatch.fields)
        + learnt(Self.networkName, network, NetworkWatch.fields)
        + learnt(Self.wifiName, wifi, FingerprintWatch.fields)
        + learnt(Self.cellName, cell, CellWatch.fields)
        + signs.flatMap { learnt($0.key, $0.value, AlarmRecord.fields) })
  }

  /// Continues with what an earlier run learnt of the sources configured now. Damaged data is
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
    for name in names where !Self.watched.contains(name) {
      alarms[name] =
        AlarmRecord.fields.restored(snapshot?[name], onto: alarms[name] ?? AlarmRecord())
        ?? alarms[name]
    }
  }
}
