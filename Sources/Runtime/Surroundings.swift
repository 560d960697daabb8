import Ports
import RadioSignals
import Core
import Records
import Tracking

/// Processes received access points and cells on their way from the sources to the tracker:
/// identifiers become pseudonyms, known ones become a location, and good fixes train the radio map.
final class Surroundings {
  private let map: (any RadioMapPort)?
  private let lookUp: (any LookUpPort)?
  private let log: LogChannel
  private var learner = RadioMapLearner()
  private let hidesIdentifiers: Bool
  private var cachedPseudonyms: Pseudonyms?
  /// The access point or gateway that the board is connected to, as reported to the tracker.
  private var joined: String?
  /// The serving cell, not pseudonymized.
  private var cell: CellIdentity?
  /// The last failure that was logged; nil: none.
  private var failure: String?

  /// - Parameters:
  ///   - map: nil: nothing is learnt.
  ///   - lookUp: nil: no external service is queried.
  ///   - hidesIdentifiers: whether identifiers of access points and cells are replaced.
  init(
    _ map: (any RadioMapPort)?, lookUp: (any LookUpPort)?, hidesIdentifiers: Bool, log: LogChannel
  ) {
    self.map = map
    self.lookUp = lookUp
    self.hidesIdentifiers = hidesIdentifiers
    self.log = log
  }

  // MARK: From the sources

  /// The resulting events for the tracker, in this order: a resulting location is handled before
  /// the evidence.
  func events(for evidence: Evidence, from source: String, at now: BootInstant) -> [Event] {
    switch evidence {
    case .motion, .ignition, .sign: return [.evidence(evidence, from: source)]
    case .network(let name):
      joined = name.map { reported($0, at: now) }
      return [.evidence(.network(joined), from: source)]
    case .cell(let text): return serves(text, from: source, at: now)
    case .accessPoints(let scan): return scanned(scan, from: source, at: now)
    case .location(var observation):
      observation.accessPoint = observation.accessPoint.map { reported($0, at: now) } ?? joined
      return [.coarse(observation, from: source)]
    }
  }

  private func serves(_ text: String, from source: String, at now: BootInstant) -> [Event] {
    cell = CellIdentity(text: text)
    let received = Event.evidence(.cell(reported(text, at: now)), from: source)
    guard let map, let cell else { return [received] }
    let pseudonym = pseudonyms(at: now).of(cell.text)
    learner.serves(cell: pseudonym)
    let position: CellPosition? = trying(at: now) { () throws(PortError) in
      CellPosition(learnt: try map.learntCell(pseudonym), table: try map.tableCell(cell))
    }
    guard let position else {
      lookUp?.request(AccessPointScan([]), cell: cell)
      return [received]
    }
    return [
      located(position.position, position.accuracy, by: source, age: 0, at: now), received,
    ]
  }

  private func scanned(
    _ scan: AccessPointScan, from source: String, at now: BootInstant
  ) -> [Event] {
    let signals = scan.signals.map {
      AccessPointSignal(bssid: reported($0.bssid, at: now), strength: $0.strength)
    }
    let received = Event.evidence(
      .accessPoints(AccessPointScan(signals, age: scan.age)), from: source)
    guard let map else { return [received] }
    let neighbourhood = RadioFingerprint(scan, pseudonyms: pseudonyms(at: now))
    if let lesson = learner.received(neighbourhood, at: now - scan.age) { learn(lesson, at: now) }
    let position: FingerprintPosition? = trying(at: now) { () throws(PortError) in
      FingerprintPosition(
        of: neighbourhood, among: try map.accessPoints(neighbourhood.pseudonyms))
    }
    guard let position else {
      lookUp?.request(scan, cell: cell)
      return [received]
    }
    return [
      located(position.position, position.accuracy, by: source, age: scan.age, at: now), received,
    ]
  }

  private func located(
    _ position: Coordinate, _ accuracy: Metres, by source: String, age: Seconds,
    at now: BootInstant
  ) -> Event {
    .coarse(
      CoarseObservation(
        received: now - age, time: nil, position: position, accuracy: accuracy,
        accessPoint: joined, source: source), from: source)
  }

  // MARK: From GNSS

  /// The tracker has accepted a location.
  func located(_ location: Location, at now: BootInstant) {
    guard map != nil, let fix = TrainingFix(location),
      let lesson = learner.located(fix, at: now)
    else { return }
    learn(lesson, at: now)
  }

  private func learn(_ lesson: RadioMapSample, at now: BootInstant) {
    guard let map else { return }
    let _: Bool? = trying(at: now) { () throws(PortError) in
      let known = try map.accessPoints(lesson.pseudonyms)
      let cell = try lesson.cell.flatMap { (cell) throws(PortError) in
        try map.learntCell(cell)
      }
      try map.save(lesson.applied(to: known), cell: lesson.applied(to: cell))
      return true
    }
  }

  // MARK: Identifiers

  /// An identifier as it is passed to the tracker, and so to the store.
  private func reported(_ identifier: String, at now: BootInstant) -> String {
    hidesIdentifiers ? pseudonyms(at: now).text(identifier) : identifier
  }

  /// The pseudonyms of this device. While its salt cannot be read, those of this run are used.
  private func pseudonyms(at now: BootInstant) -> Pseudonyms {
    if let cachedPseudonyms { return cachedPseudonyms }
    let kept = trying(at: now) { () throws(PortError) in try map?.pseudonyms() }
    let veil = kept ?? .ofThisRun
    self.cachedPseudonyms = veil
    return veil
  }

  // MARK: Failures

  /// Nil after a failure, which is logged once.
  private func trying<Result>(
    at now: BootInstant, _ body: () throws(PortError) -> Result?
  ) -> Result? {
    do throws(PortError) {
      let result = try body()
      failure = nil
      return result
    } catch {
      if error.message != failure {
        log.receive(LogEvent("radio-map-failed", error.message, level: .warning), now)
      }
      failure = error.message
      return nil
    }
  }

  /// The daemon ends.
  func close() { map?.close() }
}

extension Pseudonyms {
  /// With a random salt that is not stored.
  fileprivate static var ofThisRun: Pseudonyms {
    Pseudonyms(salt: (0..<saltSize).map { _ in UInt8.random(in: 0...255) })
  }
}
