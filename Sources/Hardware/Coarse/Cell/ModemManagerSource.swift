import Core
import Platform
import Ports
import Records

/// The serving cell of the board's modem, from ModemManager.
///
/// The modem reports a new cell to ModemManager, which keeps it, so a query costs the modem
/// nothing. ModemManager also signals changes if its `SignalsLocation` is set; these signals go to
/// every listener on the bus. It is set where `cell.signals` says so and the modem reports no GNSS
/// locations, which would come every second. The signal strength, reported every 30 s, belongs to
/// an interface that is not subscribed to.
public final class ModemManagerSource: EvidencePort {
  static let service = "org.freedesktop.ModemManager1"
  static let root = "/org/freedesktop/ModemManager1"
  static let modem = "org.freedesktop.ModemManager1.Modem"
  static let modem3gpp = "org.freedesktop.ModemManager1.Modem.Modem3gpp"
  /// Several properties change when the modem changes cells: one query serves for all.
  static let settling = Seconds(2)
  static let maxEvents = 64

  private enum Query: Int {
    case objects, setup, technologies, location, cells
    case came, went, state, registration, changed
  }

  private enum Cause { case bus, service, modem, obstacle, setup, location, answer }

  static let descriptor = EvidenceSourceDescriptor("cell", CellSettings.self) { settings in
    settings.kind == .modemManager ? ModemManagerSource(settings) : nil
  }

  public let name = "cell"
  public var delivery: CoarseDelivery? { .onRequest }

  private let settings: CellSettings
  private let now: () -> BootInstant
  private let bus: BusConnection
  private var outbox = EventQueue<Evidence, Cause>()
  private var isThere = false
  /// Whether it has listed its modems; from then on it reports changes.
  private var isSurveyed = false
  private var modem: ModemSnapshot?
  private var technologies: Int64 = 0
  /// Before ModemManager 1.20 there is no GetCellInfo.
  private var knowsCells = true
  private var isRequested = false
  private var queriesAt: BootInstant?
  private var lastReported: CellIdentity?

  /// - Parameter address: of the bus; nil: the system bus.
  init(
    _ settings: CellSettings, address: String? = nil,
    now: @escaping () -> BootInstant = { BootClock.now }
  ) {
    self.settings = settings
    self.now = now
    bus = BusConnection(to: Self.service, address: address, now: now)
  }

  public var interest: Interest? { bus.interest }

  public var due: BootInstant? { outbox.isEmpty ? .earlier(bus.due, queriesAt) : .zero }

  public func request() throws(PortError) {
    isRequested = true
    if isThere, !isSurveyed { survey() }
    query()
  }

  public func poll() throws(PortError) -> Evidence? {
    for _ in 0..<Self.maxEvents {
      guard outbox.isEmpty, let event = bus.next() else { break }
      handle(event)
    }
    if let queriesAt, now() >= queriesAt {
      self.queriesAt = nil
      query()
    }
    return try outbox.next()
  }
}

extension ModemManagerSource {
  private func handle(_ event: BusEvent) {
    switch event {
    case .unavailable(let reason):
      leave()
      outbox.fail(.bus, "ModemManager cannot be queried: \(reason)")
    case .service(let isThere):
      leave()
      outbox.resolve(.bus)
      if isThere {
        arrive()
      } else {
        outbox.fail(
          .service,
          "ModemManager is not running; start it, or set cell.kind to \"none\". It is queried "
            + "again once it runs")
      }
    case .answer(let message, let tag):
      if let question = Query(rawValue: tag) { answered(message, question) }
    case .refusal(let refusal, let tag):
      if let question = Query(rawValue: tag) { refused(refusal, question) }
    // This program offers no objects here.
    case .request: break
    case .signal(_, let tag):
      if let question = Query(rawValue: tag) { handleSignal(question) }
    }
  }

  private func arrive() {
    isThere = true
    knowsCells = true
    outbox.resolve(.service, .modem, .obstacle, .setup, .location, .answer)
    let manager = "org.freedesktop.DBus.ObjectManager"
    bus.listen(to: BusSignal(manager, "InterfacesAdded", at: Self.root), tag: tag(.came))
    bus.listen(to: BusSignal(manager, "InterfacesRemoved", at: Self.root), tag: tag(.went))
    survey()
  }

  /// Calls in progress are void.
  private func leave() {
    isThere = false
    isSurveyed = false
    forgetModem()
    for question in [Query.came, .went] { bus.unsubscribe(tag: tag(question)) }
  }

  private func forgetModem() {
    for question in [Query.state, .registration, .changed] { bus.unsubscribe(tag: tag(question)) }
    modem = nil
    queriesAt = nil
    lastReported = nil
  }

  private func survey() {
    guard !bus.isPending(for: tag(.objects)) else { return }
    bus.call(.objects(below: Self.root), tag: tag(.objects))
  }

  /// Queries the cell in two steps: the radio technology in use, then the location.
  private func query() {
    guard let modem, modem.obstacle == nil else { return }
    let isLooking = [Query.technologies, .location, .cells].contains { bus.isPending(for: tag($0)) }
    guard !isLooking else { return }
    bus.call(
      .get("AccessTechnologies", of: Self.modem, at: modem.path), tag: tag(.technologies))
  }

  private func handleSignal(_ question: Query) {
    switch question {
    case .came, .went:
      // Which interfaces were added or removed does not matter: a modem has all of them, or is
      // absent.
      survey()
    case .state where modem?.obstacle != nil: survey()
    case .state, .registration, .changed: queriesAt = queriesAt ?? now() + Self.settling
    default: break
    }
  }

  private func answered(_ message: BusMessage, _ question: Query) {
    switch question {
    case .objects: found(ModemSnapshot.chosen(of: message, named: settings.modem))
    case .setup:
      outbox.resolve(.setup)
      query()
    case .technologies:
      guard let modem, let technologies = message.variant({ message.integer() }) else { return }
      self.technologies = technologies
      bus.call(
        BusCall(modem.path, ModemSnapshot.location, "GetLocation"), tag: tag(.location))
    case .location:
      outbox.resolve(.location, .answer)
      if let cell = CellReport.location(message, technologies: technologies) {
        report(cell)
      } else if knowsCells, let modem {
        bus.call(BusCall(modem.path, Self.modem, "GetCellInfo"), tag: tag(.cells))
      } else {
        isRequested = false
      }
    case .cells:
      if let cell = CellReport.serving(message) { report(cell) }
      isRequested = false
    default: break
    }
  }

  private func found(_ modem: ModemSnapshot?) {
    isSurveyed = true
    let isSame = modem?.path == self.modem?.path && self.modem != nil
    if !isSame { forgetModem() }
    self.modem = modem
    guard let modem else {
      let which = settings.modem.map { "no modem \"\(TerminalText.line($0))\"" } ?? "no modem"
      return outbox.fail(
        .modem, "ModemManager has \(which); see \"mmcli -L\". It is used once it appears")
    }
    outbox.resolve(.modem)
    if !isSame {
      bus.listen(to: BusSignal(Self.modem, "StateChanged", at: modem.path), tag: tag(.state))
      bus.listen(to: .changes(of: Self.modem3gpp, at: modem.path), tag: tag(.registration))
      bus.listen(to: .changes(of: ModemSnapshot.location, at: modem.path), tag: tag(.changed))
    }
    if let obstacle = modem.obstacle {
      return outbox.fail(.obstacle, "the modem \(TerminalText.line(modem.model)) \(obstacle)")
    }
    outbox.resolve(.obstacle)
    setUp(modem)
  }

  private func setUp(_ modem: ModemSnapshot) {
    let sources = UInt32(truncatingIfNeeded: modem.enabled) | CellReport.source
    // Signals that another program has switched on stay on.
    let signals = modem.signalsLocation || settings.signals && sources == CellReport.source
    guard Int64(sources) != modem.enabled || signals != modem.signalsLocation else {
      return query()
    }
    bus.call(
      BusCall(modem.path, ModemSnapshot.location, "Setup", [.integer(sources), .boolean(signals)]),
      tag: tag(.setup))
  }

  private func refused(_ refusal: BusRefusal, _ question: Query) {
    let advice =
      refusal.isDenial ? "; install 50-godwit.rules for polkit (docs/manual/sources/dbus.md)" : ""
    switch question {
    case .setup:
      outbox.fail(
        .setup, "ModemManager does not let the modem report its cell: \(refusal.text)\(advice)")
      // Another program may have set it up.
      query()
    case .location:
      isRequested = false
      outbox.fail(.location, "ModemManager does not report the cell: \(refusal.text)\(advice)")
    case .cells:
      isRequested = false
      if refusal.isUnknown { knowsCells = false }
    case .objects, .technologies:
      isRequested = false
      // A signal reports a modem that has just gone.
      guard !refusal.isUnknown else { return }
      outbox.fail(.answer, "ModemManager does not answer: \(refusal.text)")
    default: break
    }
  }

  /// A cell that is known is reported again only if it was requested.
  private func report(_ cell: CellIdentity) {
    defer { isRequested = false }
    guard isRequested || cell != lastReported else { return }
    lastReported = cell
    outbox.emit(.cell(cell.text))
  }

  private func tag(_ question: Query) -> Int { question.rawValue }
}
