import RadioSignals
import Ports
import Core

/// The beacons around a virtual board, and its radio.
public struct VirtualBeaconSettings: Sendable {
  var world: BeaconWorld
  /// Whether the radio uses monitors, or discovery.
  var keepsWatch: Bool
  var leastStrength: DecibelMilliwatts
  /// The power of its receiver while on.
  var listeningPower: Watts

  public init(
    _ world: BeaconWorld, keepsWatch: Bool, leastStrength: DecibelMilliwatts,
    listeningPower: Watts = 0
  ) {
    self.world = world
    self.keepsWatch = keepsWatch
    self.leastStrength = leastStrength
    self.listeningPower = listeningPower
  }
}

/// A radio that discovers as BlueZ does, or uses monitors like BlueZ (adv_monitor.c): a beacon is
/// heard with the first advertisement, found after 4 s above the threshold, and lost after half a
/// minute without one.
///
/// It predicts the next event, so that the clock may jump.
public final class VirtualBeaconRadio: BeaconRadioPort {
  private static let foundAfter: Int64 = 4
  private static let lostAfter: Int64 = 30
  /// The lost threshold lies this many decibels below the found threshold.
  private static let lower: DecibelMilliwatts = 6
  /// The receiver's duty cycle while monitoring.
  private static let duty = 0.5
  private static let horizon: Int64 = 60

  public let name = "virtual beacon radio"
  public let interest: Interest? = nil
  public let method: BeaconMethod?
  /// How often it had events, at different moments: each wakes the board.
  public private(set) var wakes = 0

  private let world: BeaconWorld
  private let truth: any GroundTruth
  private let clock: VirtualClock
  private let leastStrength: DecibelMilliwatts
  private let listeningPower: Watts
  private var waiting: [BeaconRadioEvent] = []
  private var regions: [BeaconRegion] = []
  private var isScanning = false
  private var isListeningReported = false
  private var hasReportedMethod = false
  /// The second up to which reception was simulated.
  private var received: Int64 = -1
  /// For monitored beacons: since when each is above the threshold, and when it last was.
  private var strongSince: [Int: Int64] = [:]
  private var strongLast: [Int: Int64] = [:]
  private var found: Set<Int> = []
  /// For beacons with a BlueZ object: the last reception of each.
  private var present: [Int: Int64] = [:]
  private var states: [Int64: TrueState] = [:]
  private var scanTime = ListeningTime()
  private var watchTime = ListeningTime()
  /// The second of the predicted next event.
  private var ahead: Int64?

  /// - Parameter truth: a truth for its exclusive use.
  init(_ settings: VirtualBeaconSettings, truth: any GroundTruth, clock: VirtualClock) {
    world = settings.world
    self.truth = truth
    self.clock = clock
    method = settings.keepsWatch ? .monitors : .discovery
    leastStrength = settings.leastStrength
    listeningPower = settings.listeningPower
  }

  /// The energy drawn since the start.
  public var energy: Joules { listeningPower * listened }

  // MARK: The port

  public var due: BootInstant? { waiting.isEmpty ? nextEvent : .zero }

  public var listened: Seconds {
    scanTime.total(at: clock.now) + watchTime.total(at: clock.now) * Self.duty
  }

  public func listen(for regions: [BeaconRegion]) {
    receive()
    self.regions = regions
    if regions.isEmpty { forget() }
    adjust()
  }

  public func scan(_ isOn: Bool) {
    receive()
    isScanning = isOn
    adjust()
  }

  /// It never hangs.
  public func restart() { waiting.append(.restarted) }

  public func dateWasSet() {
    forget()
    waiting += [.listening(false), .listening(true)]
  }

  public func next() throws(PortError) -> BeaconRadioEvent? {
    let wasQuiet = waiting.isEmpty
    receive()
    if wasQuiet, !waiting.isEmpty { wakes += 1 }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  // MARK: The world

  private var keepsWatch: Bool { method == .monitors && !regions.isEmpty }

  private func adjust() {
    if !hasReportedMethod {
      hasReportedMethod = true
      if method == .monitors { waiting.append(.monitors(true)) }
    }
    scanTime.turn(isScanning, at: clock.now)
    watchTime.turn(keepsWatch && !isScanning, at: clock.now)
    ahead = nil
    let isListening = isScanning || keepsWatch
    guard isListening != isListeningReported else { return }
    isListeningReported = isListening
    waiting.append(.listening(isListening))
  }

  private func forget() {
    found = []
    strongSince = [:]
    strongLast = [:]
    present = [:]
    ahead = nil
  }

  private var second: Int64 {
    (clock.now - .zero).value >= 0 ? Int64((clock.now - .zero).value) : 0
  }

  /// Simulates reception up to now.
  private func receive() {
    let now = second
    guard isScanning || keepsWatch else {
      received = now
      states = [:]
      return
    }
    while received < now {
      received += 1
      waiting += events(of: received)
      states[received - 2] = nil
    }
    if let ahead, ahead <= now { self.ahead = nil }
  }

  private func state(at second: Int64) -> TrueState? {
    if let known = states[second] { return known }
    let state = truth.state(at: clock.time(at: .zero + Seconds(Double(second))))
    states[second] = state
    return state
  }

  private func events(of second: Int64) -> [BeaconRadioEvent] {
    guard let state = state(at: second) else { return [] }
    var news: [BeaconRadioEvent] = []
    // Found beacons without reception are lost after a while.
    for index in Set(world.near(state.position)).union(found).sorted() {
      let frame = world.beacons[index].frame
      let strength = world.receivedStrength(index, second: second, at: state)
      if isScanning, let strength { news.append(.received(frame, strength)) }
      if keepsWatch, regions.contains(where: { $0.contains(frame.beacon) }) {
        // Half of the advertisements fall into the pauses of monitoring.
        let isOn = isScanning || (second &* 7 &+ Int64(index)) % 2 == 0
        if let change = watch(index, isOn ? strength : nil, at: second) { news.append(change) }
      }
    }
    return news
  }

  private func watch(
    _ index: Int, _ strength: DecibelMilliwatts?, at second: Int64
  ) -> BeaconRadioEvent? {
    let frame = world.beacons[index].frame
    let isNew = second - (present[index] ?? .min / 2) >= Self.lostAfter
    if strength != nil { present[index] = second }
    if found.contains(index) {
      if let strength, strength >= leastStrength - Self.lower { strongLast[index] = second }
      guard second - (strongLast[index] ?? second) >= Self.lostAfter else { return nil }
      found.remove(index)
      strongSince[index] = nil
      return .lost(frame.beacon)
    }
    guard let strength else { return nil }
    let isStrong = strength >= leastStrength
    let isPause = second - (strongLast[index] ?? second) > Self.foundAfter
    if !isStrong || isPause { strongSince[index] = nil }
    if isStrong {
      strongLast[index] = second
      let since = strongSince[index] ?? second
      strongSince[index] = since
      if second - since >= Self.foundAfter {
        found.insert(index)
        return .found(frame, strength)
      }
    }
    return isNew ? .received(frame, strength) : nil
  }

  /// The next event, or the end of the prediction.
  private var nextEvent: BootInstant? {
    guard isScanning || keepsWatch else { return nil }
    if isScanning { return .zero + Seconds(Double(second + 1)) }
    if let ahead { return .zero + Seconds(Double(ahead)) }
    let kept = (strongSince, strongLast, found, present)
    var next = received + Self.horizon
    for second in received + 1...received + Self.horizon where !events(of: second).isEmpty {
      next = second
      break
    }
    (strongSince, strongLast, found, present) = kept
    ahead = next
    return .zero + Seconds(Double(next))
  }
}
