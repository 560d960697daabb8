import Records
import Core
import Ports

/// The virtual receiver's model and configuration.
public struct VirtualReceiverSettings: Sendable {
  public enum OutputProtocol: String, Sendable, CaseIterable { case nmea, ubx }

  /// The source of the receiver's supply.
  public enum Supply: Sendable {
    /// The board's switch.
    case switched
    /// Always on.
    case permanent
    /// The kernel, while its device is open (Documentation/ABI/testing/sysfs-class-gnss).
    case whileOpen
  }

  public var model: ReceiverEnergyModel
  public var language: OutputProtocol
  var supply: Supply
  /// Between epochs.
  var interval: Seconds
  /// From power-on to the first byte.
  var bootDelay: Seconds
  /// From the moment that an epoch describes to its last byte.
  var latency: Seconds
  /// Whether V_BCKP stays supplied while the switch is off.
  var hasBackup: Bool
  /// u-blox allows 4 h for a hot start, Quectel 2 h.
  var ephemerisLife: Seconds

  public init(
    model: ReceiverEnergyModel = .ubloxM8, language: OutputProtocol = .nmea,
    supply: Supply = .switched, interval: Seconds = 1, bootDelay: Seconds = 0.5,
    latency: Seconds = 0.15, hasBackup: Bool = true,
    ephemerisLife: Seconds = .hours(4)
  ) {
    self.model = model
    self.language = language
    self.supply = supply
    self.interval = interval
    self.bootDelay = bootDelay
    self.latency = latency
    self.hasBackup = hasBackup
    self.ephemerisLife = ephemerisLife
  }
}

/// A receiver in memory. It sends only while it is powered, acquires as slowly as a real one, has
/// realistic errors, and encodes its output in the bytes of a real one.
public final class VirtualReceiver: ReceiverPort {
  public let name = "virtual receiver"
  public var interest: Interest? { nil }
  public var model: ReceiverEnergyModel { settings.model }
  /// Its true state, which determines its current.
  public private(set) var gnssState = GnssState.off
  /// How the present or last search had started.
  public private(set) var startKind = StartKind.cold
  public private(set) var epochs = 0
  /// Bytes that were not read in time: a serial line's buffer is small, too.
  public private(set) var bytesLost = 0

  static let bufferSize = 1 << 20

  let settings: VirtualReceiverSettings
  private let clock: VirtualClock
  private let groundTruth: any GroundTruth
  private var random: SeededRandom

  private var memory: ReceiverMemory
  private var search: SatelliteSearch?
  private var error: PositionError
  private var constellation: Constellation
  private var signals: ReceivedSignals
  /// Since the last epoch with signals.
  private var epochsWithoutSatellites = 0
  private let encoder: ReceiverOutput
  private let output = SentenceWriter()
  private var isOpen = false
  /// Restarted by command, and not reported yet.
  private var hasRestarted = false
  /// The next epoch's moment; nil while silent.
  private var nextEpoch: BootInstant?
  /// When it answered, until that answer can have been read.
  private var answered: BootInstant?
  let walls: Penetration

  init(
    settings: VirtualReceiverSettings, clock: VirtualClock, groundTruth: any GroundTruth,
    random: SeededRandom
  ) {
    precondition(settings.interval > 0, "epochs need time between them")
    self.settings = settings
    self.clock = clock
    self.groundTruth = groundTruth
    self.random = random
    walls = Penetration(seed: self.random.next())
    memory = ReceiverMemory(ephemerisLife: settings.ephemerisLife)
    error = PositionError(interval: settings.interval)
    constellation = Constellation(random: &self.random)
    signals = ReceivedSignals(random: SeededRandom(seed: walls.seed, stream: 1))
    encoder = ReceiverOutput(settings.language)
    if settings.supply == .permanent { power(.on) }
  }

  // MARK: The port

  public func open() throws(PortError) {
    isOpen = true
    if settings.supply == .whileOpen { power(.on) }
  }

  public func close() {
    isOpen = false
    if settings.supply == .whileOpen { power(.off) }
    output.bytes.removeAll(keepingCapacity: true)
  }

  public func read(limit: Int) throws(PortError) -> [UInt8] {
    guard isOpen else {
      throw .lost("the virtual receiver is closed: open it before reading")
    }
    let chunk = Array(output.bytes.prefix(limit))
    output.bytes.removeFirst(chunk.count)
    return chunk
  }

  public func write(_ bytes: [UInt8]) throws(PortError) {
    guard isOpen else {
      throw .lost("the virtual receiver is closed: open it before writing")
    }
    switch gnssState {
    case .off, .coarse: return
    // Activity on the line wakes it; the bytes themselves are lost (u-blox, wakeupSources uartrx).
    case .sleeping: power(.on)
    case .acquiring, .tracking:
      encoder.answer(bytes, to: output)
      if !output.bytes.isEmpty { answered = clock.now }
      if encoder.isToSleep(bytes) { power(.sleep) }
      if let start = encoder.restart(bytes) { restart(start) }
    }
  }

  // MARK: Power

  func power(_ state: PowerState) {
    switch state {
    case .on:
      guard gnssState == .off || gnssState == .sleeping else { return }
      beginSearch()
      nextEpoch = epochMoment(notBefore: clock.now + settings.bootDelay)
    case .sleep:
      guard gnssState != .off else { return }
      stopOutput(.sleeping)
    case .off:
      stopOutput(.off)
      if !settings.hasBackup { memory.wipe() }
    }
  }

  /// By command, with its supply on: epochs continue.
  private func restart(_ start: StartKind) {
    stopOutput(.acquiring)
    memory.forget(for: start)
    beginSearch()
    hasRestarted = true
    nextEpoch = epochMoment(notBefore: clock.now + settings.bootDelay)
  }

  private func stopOutput(_ state: GnssState) {
    gnssState = state
    search = nil
    nextEpoch = nil
    signals.reset()
    memory.interrupted()
  }

  private func beginSearch() {
    gnssState = .acquiring
    startKind = memory.start(at: clock.now, random: &random)
    let needed = model.searchTime(
      startKind, knownShare: memory.share(at: clock.now), random: &random)
    search = SatelliteSearch(start: startKind, needed: needed, random: &random)
    signals.search(after: startKind, needed: needed)
  }

  // MARK: Time

  /// When its next bytes will have arrived; nil while it is silent.
  var nextEvent: BootInstant? {
    .earlier(answered, nextEpoch.map { $0 + settings.latency })
  }

  func advance(to now: BootInstant) {
    answered = nil
    while let epoch = nextEpoch, epoch + settings.latency <= now {
      take(epoch)
      nextEpoch = epochMoment(notBefore: epoch + settings.interval * 0.5)
    }
  }

  /// Receivers align their epochs with whole seconds of GPS time.
  private func epochMoment(notBefore earliest: BootInstant) -> BootInstant {
    let interval = settings.interval.nanosecondsClamped
    let over = clock.time(at: earliest).nanoseconds % interval
    return BootInstant(nanoseconds: earliest.nanoseconds + (over == 0 ? 0 : interval - over))
  }

  private func take(_ moment: BootInstant) {
    let time = clock.time(at: moment)
    let truth = groundTruth.state(at: time)
    let reception = truth?.reception ?? .none
    constellation.advance(to: time)
    let penetration = reception == .indoors ? truth.map { walls.share(at: $0.position) } ?? 0 : 0
    let wasSearching = search != nil
    if var search {
      search.search(for: settings.interval, under: reception, penetration: penetration)
      if search.hasTime { memory.timeFound() }
      self.search = search
      if search.isDone, truth != nil { finish(search, at: moment, under: reception) }
    } else {
      track(under: reception, penetration: penetration, at: moment)
    }
    let hasFix = search == nil && truth != nil
    let view = ReceptionView(
      visible: constellation.visible.count, reception: reception, penetration: penetration,
      hasFix: hasFix,
      random: &random)
    var epoch = ReceiverEpoch(
      time: time, knowsTime: memory.knowsTime, solution: nil, reception: view)
    epochsWithoutSatellites += 1
    if wasSearching || epochsWithoutSatellites == Self.epochsPerSatelliteReport {
      listen(under: view, path: SignalPath(reception: reception, penetration: penetration))
      epoch.signals = signals.tracked
    }
    if let truth, hasFix { epoch.solution = solution(truth) }
    emit(epoch)
  }

  /// Signals are reported in every fifth epoch while tracking, in every one while searching.
  private static let epochsPerSatelliteReport = 5

  private func listen(under reception: ReceptionView, path: SignalPath) {
    signals.advance(
      for: settings.interval * Double(epochsWithoutSatellites), under: reception, path: path,
      needed: search.map { $0.satellitesFound(through: path) } ?? reception.used,
      constellation.visible)
    epochsWithoutSatellites = 0
  }

  private func finish(_ search: SatelliteSearch, at moment: BootInstant, under reception: Reception)
  {
    memory.fixFound(after: search.start, at: moment)
    error.restart(after: search.start, under: reception, random: &random)
    gnssState = .tracking
    self.search = nil
  }

  private func track(under reception: Reception, penetration: Double, at moment: BootInstant) {
    let lossesPerSecond: Double
    switch reception {
    case .open, .street:
      memory.tracked(for: settings.interval, at: moment)
      return
    case .indoors: lossesPerSecond = penetration > 0 ? 1 / 900 : 1 / 90
    case .none: lossesPerSecond = 1 / 3
    }
    memory.interrupted()
    if random.chance(lossesPerSecond * settings.interval.value) { beginSearch() }
  }

  private func solution(_ truth: TrueState) -> ReceiverEpoch.Solution {
    error.advance(under: truth.reception, random: &random)
    let position = LocalPlane(origin: truth.position).coordinate(
      LocalPlane.Point(east: Metres(error.east), north: Metres(error.north)))
    let speed = truth.speed.value + error.speedNoise * random.gaussian()
    // The same noise perpendicular to the motion changes the course, more so at low speed.
    let swing = error.speedNoise / max(speed.magnitude, 0.3) * 57.3 * random.gaussian()
    let track = truth.track.value + max(-180, min(180, swing))
    return ReceiverEpoch.Solution(
      latitude: position.latitude.value, longitude: position.longitude.value,
      altitude: truth.altitude.value + error.up, speed: speed.magnitude,
      track: track < 0 ? track + 360 : track >= 360 ? track - 360 : track, sigma: error.claimed)
  }

  private func emit(_ epoch: ReceiverEpoch) {
    epochs += 1
    guard isOpen else { return }
    let start = output.bytes.count
    if hasRestarted { encoder.writeStartMessage(output) }
    hasRestarted = false
    encoder.encode(epoch, constellation.visible, to: output)
    if output.bytes.count > Self.bufferSize {
      bytesLost += output.bytes.count - start
      output.bytes.removeLast(output.bytes.count - start)
    }
  }
}
