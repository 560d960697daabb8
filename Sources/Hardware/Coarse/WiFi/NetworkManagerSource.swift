import Platform
import Ports
import Core
import Records

/// The access points that NetworkManager has received.
///
/// Its list is read first, because NetworkManager scans by itself; a scan is requested when one is
/// wanted and the list is old. Results of other programs' scans are reported unrequested, when the
/// list has changed.
///
/// The property `LastScan` is watched only while a scan is pending: its interface also has the bit
/// rate, which NetworkManager reads every 6 s while joined and signals whenever it has changed
/// (nm-device-wifi.c, `periodic_update`), and this board is to sleep. The signals for added and
/// removed access points are watched until one has come.
public final class NetworkManagerSource: EvidencePort {
  static let service = "org.freedesktop.NetworkManager"
  static let wireless = "org.freedesktop.NetworkManager.Device.Wireless"
  /// A list whose latest entry is not older serves as well as a scan.
  static let freshFor = Seconds(15)
  static let scanLimit = Seconds(20)
  /// The results of a scan are signalled one after the other.
  static let settling = Seconds(2)
  /// Results of other programs' scans are reported at most so often.
  static let unrequestedInterval = Seconds(60)
  static let maxEvents = 64

  private enum Query: Int { case list, scan, came, went, lastScan }

  private enum Cause { case bus, service, device, denial, prohibition, scan, answer }

  private enum Phase {
    case idle
    /// All objects are requested.
    case reading(hasScanned: Bool)
    case scanning(device: String, lastScan: Int64, until: BootInstant)
  }

  public let name = "wifi"
  public var delivery: CoarseDelivery? { .onRequest }
  /// How many scans NetworkManager has granted.
  public private(set) var scans = 0
  public var energy: Joules { settings.scanEnergy * Double(scans) }
  /// Whether there is no bus, or no NetworkManager on it; nil: not known yet.
  public private(set) var isAbsent: Bool?

  private let settings: WiFiSettings
  private let now: () -> BootInstant
  private let bus: BusConnection
  private var outbox = EventQueue<Evidence, Cause>()
  private var phase = Phase.idle
  private var isRequested = false
  /// When to read the list after another program's scan has changed it.
  private var readsAt: BootInstant?
  /// Whether signals for added and removed access points are watched.
  private var isListWatched = false
  private var mayScanAt = BootInstant.zero
  private var lastReport: BootInstant?

  /// - Parameter address: of the bus; nil: the system bus.
  public init(
    _ settings: WiFiSettings, address: String? = nil,
    now: @escaping () -> BootInstant = { BootClock.now }
  ) {
    self.settings = settings
    self.now = now
    bus = BusConnection(to: Self.service, address: address, now: now)
  }

  public var interest: Interest? { bus.interest }

  public var due: BootInstant? {
    guard outbox.isEmpty else { return .zero }
    var due = BootInstant.earlier(bus.due, readsAt)
    if case .scanning(_, _, let end) = phase { due = .earlier(due, end) }
    return due
  }

  public func request() throws(PortError) {
    isRequested = true
    if isAbsent == false, case .idle = phase { read(hasScanned: false) }
  }

  public func poll() throws(PortError) -> Evidence? {
    for _ in 0..<Self.maxEvents {
      guard outbox.isEmpty, let event = bus.next() else { break }
      handle(event)
    }
    serveTime(at: now())
    return try outbox.next()
  }

  /// Its answer is no longer awaited.
  func cancelRequest() { isRequested = false }
}

extension NetworkManagerSource {
  private func handle(_ event: BusEvent) {
    switch event {
    case .unavailable(let reason):
      leave()
      isAbsent = true
      outbox.fail(.bus, "NetworkManager cannot be queried: \(reason)")
    case .service(isThere: true): arrive()
    case .service(isThere: false):
      leave()
      isAbsent = true
      outbox.resolve(.bus)
      outbox.fail(
        .service,
        "NetworkManager is not running; start it, or set wifi.kind to \"nl80211\" or \"none\". It "
          + "is queried again once it runs")
    case .answer(let message, let tag): answered(message, Query(rawValue: tag))
    case .refusal(let refusal, let tag): refused(refusal, Query(rawValue: tag))
    case .signal(let message, let tag): handleSignal(message, Query(rawValue: tag))
    // This program offers no objects here.
    case .request: break
    }
  }

  private func arrive() {
    leave()
    isAbsent = false
    outbox.resolve(.bus, .service, .device, .prohibition)
    watchList()
    if isRequested { read(hasScanned: false) }
  }

  private func watchList() {
    guard !isListWatched else { return }
    isListWatched = true
    bus.listen(to: BusSignal(Self.wireless, "AccessPointAdded"), tag: Query.came.rawValue)
    bus.listen(to: BusSignal(Self.wireless, "AccessPointRemoved"), tag: Query.went.rawValue)
  }

  /// In a town access points appear and disappear all the time: once a read of the list is due,
  /// further signals add nothing.
  private func ignoreList() {
    isListWatched = false
    for question in [Query.came, .went] { bus.unsubscribe(tag: question.rawValue) }
  }

  /// Calls in progress are void.
  private func leave() {
    ignoreList()
    bus.unsubscribe(tag: Query.lastScan.rawValue)
    phase = .idle
    readsAt = nil
    lastReport = nil
  }

  private func serveTime(at now: BootInstant) {
    if case .scanning(_, _, let end) = phase, now >= end {
      outbox.fail(
        .scan,
        "NetworkManager has not scanned within \(Int(Self.scanLimit.value)) s; its present list is "
          + "used")
      read(hasScanned: true)
    }
    guard let readsAt, now >= readsAt, isAbsent == false else { return }
    self.readsAt = nil
    if case .idle = phase { read(hasScanned: false) }
  }

  private func read(hasScanned: Bool) {
    bus.unsubscribe(tag: Query.lastScan.rawValue)
    watchList()
    phase = .reading(hasScanned: hasScanned)
    bus.call(.objects(below: "/org/freedesktop"), tag: Query.list.rawValue)
  }

  private func handleSignal(_ signal: BusMessage, _ question: Query?) {
    switch question {
    case .came, .went:
      guard case .idle = phase, readsAt == nil else { return }
      let now = now()
      readsAt = max(now + Self.settling, (lastReport ?? .zero) + Self.unrequestedInterval)
      ignoreList()
    case .lastScan:
      guard case .scanning(_, let before, _) = phase, signal.text() != nil else { return }
      var hasScanned = false
      signal.properties { property in
        guard property == "LastScan", let last = signal.integer() else { return }
        hasScanned = last != before
      }
      if hasScanned { read(hasScanned: true) }
    default: break
    }
  }

  private func answered(_ message: BusMessage, _ question: Query?) {
    switch question {
    case .scan:
      scans += 1
      outbox.resolve(.denial, .prohibition)
    case .list: listed(message)
    default: break
    }
  }

  private func refused(_ refusal: BusRefusal, _ question: Query?) {
    guard question == .scan else {
      phase = .idle
      isRequested = false
      return outbox.fail(.answer, "NetworkManager does not list its objects: \(refusal.text)")
    }
    if refusal.isDenial {
      outbox.fail(
        .denial,
        "NetworkManager refuses scans to this user (\(refusal.text)); its own scans are used. "
          + "Install 50-godwit.rules for polkit (docs/manual/sources/dbus.md)")
    } else {
      outbox.fail(
        .prohibition,
        "NetworkManager does not scan on request (\(refusal.text)); its own scans are used")
    }
    // The list is as old as before, and is reported with its age.
    if case .scanning = phase { read(hasScanned: true) }
  }

  private func listed(_ objects: BusMessage) {
    guard case .reading(let hasScanned) = phase else { return }
    phase = .idle
    let now = now()
    guard let survey = NetworkManagerSnapshot(objects, interface: settings.interface, at: now)
    else {
      isRequested = false
      let which = settings.interface.map { "no Wi-Fi device \"\($0)\"" } ?? "no Wi-Fi device"
      return outbox.fail(
        .device,
        "NetworkManager has \(which); see \"nmcli device\", and set wifi.interface or wifi.kind")
    }
    outbox.resolve(.device, .answer)
    let isFresh = survey.lastReception.map { now - $0 <= Self.freshFor } ?? false
    guard isRequested, !isFresh, !hasScanned, now >= mayScanAt else {
      return report(survey, at: now)
    }
    mayScanAt = now + settings.shortestScanInterval
    phase = .scanning(
      device: survey.device, lastScan: survey.lastScan, until: now + Self.scanLimit)
    bus.listen(
      to: .changes(of: Self.wireless, at: survey.device), tag: Query.lastScan.rawValue)
    bus.call(
      BusCall(survey.device, Self.wireless, "RequestScan", [.noOptions]),
      tag: Query.scan.rawValue)
  }

  private func report(_ survey: NetworkManagerSnapshot, at now: BootInstant) {
    isRequested = false
    readsAt = nil
    guard let reception = survey.lastReception else { return }
    if now - reception <= Self.freshFor { outbox.resolve(.scan) }
    lastReport = now
    outbox.emit(.accessPoints(AccessPointScan(survey.signals, age: now - reception)))
  }
}
