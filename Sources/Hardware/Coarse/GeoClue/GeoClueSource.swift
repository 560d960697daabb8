import Platform
import Ports
import Core
import Records

/// The locations that GeoClue2 reports.
///
/// The bus starts GeoClue when it is called, and GeoClue stays while it has a started client. If it
/// ends nevertheless, with an update or a crash, the client is gone with it, and another is
/// requested: at once if GeoClue appears by itself, else after a growing pause.
public final class GeoClueSource: EvidencePort {
  static let service = "org.freedesktop.GeoClue2"
  static let client = "org.freedesktop.GeoClue2.Client"
  /// GeoClue finds the section of its settings by this name.
  static let desktopID = "godwit"
  static let firstPause = Seconds(5)
  static let maxPause = Seconds.hours(1)
  static let maxEvents = 64

  private enum Query: Int { case client, property, start, updated, location }

  private enum Cause { case bus, absence, denial, failure, location }

  static let descriptor = EvidenceSourceDescriptor("geoclue", GeoClueSettings.self) { settings in
    settings.kind == .geoclue2 ? GeoClueSource(settings) : nil
  }

  public let name = "geoclue"
  public var delivery: CoarseDelivery? { .occasional }

  private let settings: GeoClueSettings
  private let now: () -> BootInstant
  private let date: () -> UTCInstant
  private let bus: BusConnection
  private var outbox = EventQueue<Evidence, Cause>()
  private var client: String?
  private var properties: [(name: String, value: BusValue)] = []
  /// When to request a client again; nil: there is one, or there is no bus.
  private var triesAt: BootInstant?
  private var pause = GeoClueSource.firstPause

  /// - Parameter address: of the bus; nil: the system bus.
  init(
    _ settings: GeoClueSettings, address: String? = nil,
    now: @escaping () -> BootInstant = { BootClock.now },
    date: @escaping () -> UTCInstant = { BootClock.systemDate }
  ) {
    self.settings = settings
    self.now = now
    self.date = date
    bus = BusConnection(to: Self.service, address: address, now: now)
  }

  public var interest: Interest? { bus.interest }

  public var due: BootInstant? { outbox.isEmpty ? .earlier(bus.due, triesAt) : .zero }

  public func poll() throws(PortError) -> Evidence? {
    for _ in 0..<Self.maxEvents {
      guard outbox.isEmpty, let event = bus.next() else { break }
      handle(event)
    }
    if let triesAt, now() >= triesAt { begin() }
    return try outbox.next()
  }
}

extension GeoClueSource {
  private func handle(_ event: BusEvent) {
    switch event {
    case .unavailable(let reason):
      leave()
      triesAt = nil
      outbox.fail(.bus, "GeoClue cannot be queried: \(reason)")
    case .service(let isThere):
      outbox.resolve(.bus)
      // The bus starts it at the first call, which makes it appear.
      guard !isThere || !isBeginning else { return }
      let hadClient = client != nil
      leave()
      if isThere || !hadClient { begin() } else { retry() }
    case .answer(let message, let tag):
      if let question = Query(rawValue: tag) { answered(message, question) }
    case .refusal(let refusal, let tag):
      if let question = Query(rawValue: tag) { refused(refusal, question) }
    case .signal(let message, _): updated(message)
    // This program offers no objects here.
    case .request: break
    }
  }

  private var isBeginning: Bool { bus.isPending(for: Query.client.rawValue) }

  private func begin() {
    triesAt = nil
    guard bus.isReady, !isBeginning else { return }
    bus.call(
      BusCall(
        "/org/freedesktop/GeoClue2/Manager", "org.freedesktop.GeoClue2.Manager", "GetClient",
        startsService: true), tag: Query.client.rawValue)
  }

  private func retry() {
    triesAt = now() + pause
    pause = min(pause * 2, Self.maxPause)
  }

  /// Calls in progress are void.
  private func leave() {
    bus.unsubscribe(tag: Query.updated.rawValue)
    client = nil
    properties = []
  }

  private func answered(_ message: BusMessage, _ question: Query) {
    switch question {
    case .client:
      guard let path = message.text(), path != "/" else {
        retry()
        return outbox.fail(.failure, "GeoClue provides no client; see \"journalctl -u geoclue\"")
      }
      client = path
      bus.listen(
        to: BusSignal(Self.client, "LocationUpdated", at: path), tag: Query.updated.rawValue)
      properties = [
        ("DesktopId", .text(Self.desktopID)),
        ("RequestedAccuracyLevel", .integer(settings.accuracy.level)),
        ("DistanceThreshold", .integer(UInt32(settings.distance.value))),
        ("TimeThreshold", .integer(UInt32(settings.interval.value))),
      ]
      prepare()
    case .property: prepare()
    case .start: outbox.resolve(.absence, .denial, .failure)
    case .location: located(message)
    case .updated: break
    }
  }

  /// One property after the other, and the start at last: it applies the properties set before.
  private func prepare() {
    guard let client else { return }
    guard !properties.isEmpty else {
      return bus.call(BusCall(client, Self.client, "Start"), tag: Query.start.rawValue)
    }
    let property = properties.removeFirst()
    bus.call(
      .set(property.name, property.value, of: Self.client, at: client),
      tag: Query.property.rawValue)
  }

  private func updated(_ signal: BusMessage) {
    // The old location, "/" for none, and the new one.
    guard client != nil, signal.text() != nil, let new = signal.text(), new != "/" else { return }
    bus.call(
      .all(of: "org.freedesktop.GeoClue2.Location", at: new), tag: Query.location.rawValue)
  }

  private func located(_ answer: BusMessage) {
    guard let location = GeoClueLocation(answer, date: date()) else {
      return outbox.fail(
        .location, "GeoClue reports an invalid or old location; it is ignored")
    }
    pause = Self.firstPause
    outbox.resolve(.location)
    outbox.emit(
      .location(
        CoarseObservation(
          received: now(), time: nil, position: location.position, accuracy: location.accuracy,
          source: name)))
  }

  private func refused(_ refusal: BusRefusal, _ question: Query) {
    // The location was replaced by a newer one, which a signal reports.
    guard question != .location else { return }
    leave()
    retry()
    if refusal.isDenial {
      outbox.fail(
        .denial,
        "GeoClue does not report locations to godwit (\(refusal.text)); its settings need the "
          + "section [godwit] (docs/manual/sources/dbus.md)")
    } else if refusal.isAbsence {
      outbox.fail(
        .absence,
        "there is no GeoClue (\(refusal.text)); install geoclue-2.0, or set "
          + "geoclue.kind to \"none\""
      )
    } else {
      outbox.fail(
        .failure, "GeoClue does not answer as expected (\(refusal.text)); Godwit will retry")
    }
  }
}

extension GeoClueSettings.Accuracy {
  /// GClueAccuracyLevel
  fileprivate var level: UInt32 {
    switch self {
    case .city: 4
    case .neighborhood: 5
    case .street: 6
    case .exact: 8
    }
  }
}
