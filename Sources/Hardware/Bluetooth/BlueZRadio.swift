import RadioSignals
import Platform
import Ports
import Core

/// The radio of the BlueZ service, as the loop sees it: whether the service and an adapter are
/// there, and have power. `BlueZListener` listens with it.
///
/// No call is made as long as nothing is wanted.
public final class BlueZRadio: BeaconRadioPort {
  static let maxEvents = 64
  /// Between switching off and on.
  private static let offTime = Seconds(2)
  private static let retryPause = Seconds(60)
  /// An adapter that appears or disappears is without power for an instant.
  private static let powerPause = Seconds(1)

  private enum Query: Int { case objects, off, on, added, removed, adapterChanged }

  private enum Cause { case bus, service, adapter, power, answer }

  private let settings: BluetoothSettings
  private let bus: BusConnection
  private let listener: BlueZListener
  private let now: () -> BootInstant
  private var outbox = EventQueue<BeaconRadioEvent, Cause>(room: 64)
  /// There is no connection to the bus until something is wanted for the first time.
  private var isUsed = false
  private var isServiceThere = false
  /// Nil: not known yet, or there is none.
  private var adapter: BlueZAdapter?
  /// When to switch it on again.
  private var onAt: BootInstant?
  private var retryAt: BootInstant?
  /// When to report that it has no power.
  private var reportPowerAt: BootInstant?

  /// - Parameters:
  ///   - leastStrength: monitors ignore weaker signals.
  ///   - address: of the bus; nil: the system bus.
  public init(
    _ settings: BluetoothSettings, leastStrength: DecibelMilliwatts, address: String? = nil,
    now: @escaping () -> BootInstant = { BootClock.now }
  ) {
    self.settings = settings
    self.now = now
    bus = BusConnection(to: BlueZName.service, address: address, now: now)
    listener = BlueZListener(bus, settings.method, leastStrength: leastStrength, now: now)
  }

  // MARK: The port

  public let name = "bluetooth"
  public var interest: Interest? { isUsed ? bus.interest : nil }

  public var due: BootInstant? {
    guard isUsed else { return nil }
    guard outbox.isEmpty else { return .zero }
    return BootInstant.earlier(
      BootInstant.earlier(bus.due, listener.due),
      .earlier(onAt, .earlier(retryAt, reportPowerAt)))
  }

  public private(set) var readCount = 0
  public var method: BeaconMethod? { listener.method }
  public var listened: Seconds { listener.listened }
  public func dateWasSet() { listener.dateWasSet() }

  public func listen(for regions: [BeaconRegion]) {
    if !regions.isEmpty { isUsed = true }
    listener.listen(for: regions)
  }

  public func scan(_ isOn: Bool) {
    if isOn { isUsed = true }
    listener.scan(isOn)
  }

  public func restart() {
    guard let adapter, onAt == nil else { return }
    onAt = now() + Self.offTime
    // If BlueZ refuses, the adapter stays on and listening goes on as before.
    call(.set("Powered", .boolean(false), of: BlueZName.adapter, at: adapter.path), .off)
  }

  public func next() throws(PortError) -> BeaconRadioEvent? {
    guard isUsed else { return nil }
    for _ in 0..<Self.maxEvents {
      guard outbox.isEmpty, listener.isQuiet, let event = bus.next() else { break }
      readCount += 1
      handle(event)
    }
    serveTime(at: now())
    // Its events come before the event that ended it.
    if let news = try listener.next() { return news }
    return try outbox.next()
  }
}

extension BlueZRadio {
  private func handle(_ event: BusEvent) {
    switch event {
    case .unavailable(let reason):
      leave()
      outbox.fail(.bus, "BlueZ cannot be queried: \(reason)")
    case .service(isThere: true):
      leave()
      isServiceThere = true
      outbox.resolve(.bus, .service, .answer)
      ask()
    case .service(isThere: false):
      leave()
      outbox.resolve(.bus)
      outbox.fail(
        .service,
        "Bluetooth's service is not running: \"systemctl start bluetooth\", or set bluetooth.kind "
          + "to \"none\". It is queried again once it runs")
    case .answer(let message, let tag):
      if !listener.answered(message, tag: tag) { answered(message, Query(rawValue: tag)) }
    case .refusal(let refusal, let tag):
      if !listener.refused(refusal, tag: tag) { refused(refusal, Query(rawValue: tag)) }
    case .signal(let message, let tag):
      if !listener.handleSignal(message, tag: tag) { handleSignal(message, Query(rawValue: tag)) }
    case .request(let request): listener.serve(request)
    }
  }

  private func call(_ call: BusCall, _ question: Query) {
    bus.call(call, tag: question.rawValue)
  }

  /// Calls in progress are void: a service that appears has no state of earlier ones.
  private func leave() {
    isServiceThere = false
    adapter = nil
    onAt = nil
    retryAt = nil
    reportPowerAt = nil
    listener.end(isServiceGone: true)
    for question in [Query.added, .removed, .adapterChanged] {
      bus.unsubscribe(tag: question.rawValue)
    }
  }

  private func ask() {
    guard isServiceThere, !bus.isPending(for: Query.objects.rawValue) else { return }
    retryAt = nil
    // Before the objects are requested, so that changes after the answer are received, too.
    for (question, signal) in [
      (Query.added, BusSignal(BlueZName.objectManager, "InterfacesAdded")),
      (.removed, BusSignal(BlueZName.objectManager, "InterfacesRemoved")),
      (.adapterChanged, .changes(of: BlueZName.adapter)),
    ] {
      bus.unsubscribe(tag: question.rawValue)
      bus.listen(to: signal, tag: question.rawValue)
    }
    call(.objects(below: "/"), .objects)
  }

  private func choose(_ adapters: [BlueZAdapter]) {
    let named = adapters.filter { settings.adapter == nil || $0.name == settings.adapter }
    guard let chosen = named.first(where: \.isPowered) ?? named.first else {
      let which = settings.adapter.map { "no adapter \"\($0)\"" } ?? "no adapter"
      return outbox.fail(
        .adapter,
        "BlueZ has \(which); see \"bluetoothctl list\" and \"rfkill\". It is used once it appears")
    }
    outbox.resolve(.adapter, .answer)
    adapter = chosen
    followPower(of: chosen)
  }

  private func followPower(of adapter: BlueZAdapter) {
    reportPowerAt = nil
    if adapter.isPowered {
      onAt = nil
      outbox.resolve(.power)
      return listener.begin(adapter)
    }
    listener.end()
    if onAt == nil { reportPowerAt = now() + Self.powerPause }
  }

  private func reportMissingPower() {
    guard let adapter else { return }
    outbox.fail(
      .power,
      "the Bluetooth adapter \(adapter.name) is switched off: \"bluetoothctl power on\", or "
        + "\"rfkill unblock bluetooth\"")
  }

  private func serveTime(at now: BootInstant) {
    if let onAt, now >= onAt {
      self.onAt = nil
      if let adapter {
        call(.set("Powered", .boolean(true), of: BlueZName.adapter, at: adapter.path), .on)
      }
    }
    if let reportPowerAt, now >= reportPowerAt {
      self.reportPowerAt = nil
      reportMissingPower()
    }
    if let retryAt, now >= retryAt {
      self.retryAt = nil
      ask()
    }
    listener.serveTime(at: now)
  }

  private func handleSignal(_ signal: BusMessage, _ question: Query?) {
    switch question {
    case .added: appeared(signal)
    case .removed: disappeared(signal)
    case .adapterChanged:
      guard var changed = adapter, signal.path == changed.path, signal.text() != nil else {
        return
      }
      changed.update(signal)
      guard changed != adapter else { return }
      adapter = changed
      followPower(of: changed)
    default: break
    }
  }

  private func appeared(_ signal: BusMessage) {
    guard let path = signal.text(atMost: 255) else { return }
    guard adapter == nil else { return listener.appeared(signal, at: path) }
    // Perhaps it is the awaited adapter: /org/bluez/hci0.
    if path.split(separator: "/").count == 3 { ask() }
  }

  private func disappeared(_ signal: BusMessage) {
    guard let path = signal.text(atMost: 255) else { return }
    guard path == adapter?.path else { return listener.disappeared(path) }
    var isAdapter = false
    signal.elements("s", atMost: 32) {
      if signal.text(atMost: 255) == BlueZName.adapter { isAdapter = true }
      return true
    }
    guard isAdapter else { return }
    adapter = nil
    onAt = nil
    reportPowerAt = nil
    listener.end()
    outbox.resolve(.power)
    outbox.fail(
      .adapter, "the Bluetooth adapter has disappeared; it is used again once it returns")
    ask()
  }

  private func answered(_ message: BusMessage, _ question: Query?) {
    switch question {
    case .objects: choose(BlueZAdapter.all(message))
    case .on:
      outbox.emit(.restarted)
      // Its properties have reported that it is on, or do so now.
      adapter?.isPowered = true
      if let adapter { followPower(of: adapter) }
    default: break
    }
  }

  private func refused(_ refusal: BusRefusal, _ question: Query?) {
    switch question {
    case .objects:
      outbox.fail(.answer, "BlueZ does not list its objects: \(refusal.text)")
      retryAt = now() + Self.retryPause
    case .on:
      onAt = now() + Self.retryPause
      guard adapter?.isPowered == false else { return }
      outbox.fail(
        .power,
        "BlueZ does not switch the adapter on again: \(refusal.text). Godwit will retry")
    default: break
    }
  }
}
