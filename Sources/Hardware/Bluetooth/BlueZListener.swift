import RadioSignals
import Ports
import Core

/// Listens for beacons with one of BlueZ's adapters.
///
/// The method depends on what BlueZ offers. Advertisement monitors wake this board only when a
/// beacon appears or is lost; BlueZ offers them when started with `Experimental = true`. Otherwise
/// discovery is used, which reports every device received, and is switched on and off by a plan
/// made elsewhere.
final class BlueZListener {
  /// Advertisements of devices that are not beacons are reported as a sign of life at most so
  /// often.
  private static let alivePause = Seconds(60)
  private static let retryPauses = [Seconds(5), 30, 300]
  /// Without power, adapter or service BlueZ reports all found beacons as lost, an instant before
  /// it reports why (adapter.c, set_mode and adapter_remove): that is no departure.
  private static let lossPause = Seconds(1)
  /// Share of the time with active monitors in which the radio receives: 30 ms of every 60 (the
  /// kernel's default for them, hci_core.c: le_scan_window_adv_monitor).
  private static let monitorDuty = 0.5

  /// Tags above those of the radio, below those of devices.
  private enum Query: Int {
    case register = 100
    case unregister, filter, start, stop, deviceChanged
  }

  private enum Cause { case monitors, scan, denial }

  private let bus: BusConnection
  private let wantedMethod: BluetoothSettings.Method
  private let leastStrength: DecibelMilliwatts
  private let now: () -> BootInstant
  private var outbox = EventQueue<BeaconRadioEvent, Cause>(room: 256)
  private var regions: [BeaconRegion] = []
  private var isScanWanted = false
  /// Nil: no adapter has power.
  private var adapter: BlueZAdapter?
  /// Registered, or about to be; nil: none.
  private var monitors: MonitorObjects?
  private var isMonitoring = false
  /// Number of registrations so far, this one included.
  private var registrations = 0
  /// Lost beacons, and when each is to be reported.
  private var losses: [BeaconIdentity: BootInstant] = [:]
  /// Monitors were refused: discovery is used until the adapter starts anew.
  private var isRefused = false
  private var isScanning = false
  /// A call that starts or stops discovery is not answered yet.
  private var isChanging = false
  private var reader = DeviceReader()
  private var lastAliveReport: BootInstant?
  private var reportedListening = false
  private var reportedKeepsWatch = false
  private var scanTime = ListeningTime()
  private var monitorTime = ListeningTime()
  private var retryAt: BootInstant?
  private var retries = 0

  init(
    _ bus: BusConnection, _ method: BluetoothSettings.Method, leastStrength: DecibelMilliwatts,
    now: @escaping () -> BootInstant
  ) {
    self.bus = bus
    wantedMethod = method
    self.leastStrength = leastStrength
    self.now = now
  }

  // MARK: What is wanted

  var due: BootInstant? {
    outbox.isEmpty ? BootInstant.earlier(retryAt, losses.values.min()) : .zero
  }
  var isQuiet: Bool { outbox.isEmpty }
  func next() throws(PortError) -> BeaconRadioEvent? { try outbox.next() }

  var method: BeaconMethod? {
    guard adapter != nil else { return nil }
    return usesMonitors ? .monitors : .discovery
  }

  /// How long the radio was receiving.
  var listened: Seconds {
    scanTime.total(at: now()) + monitorTime.total(at: now()) * Self.monitorDuty
  }

  func listen(for regions: [BeaconRegion]) {
    guard regions != self.regions else { return }
    self.regions = regions
    stopMonitors()
    adjust()
  }

  func scan(_ isOn: Bool) {
    isScanWanted = isOn
    adjust()
  }

  /// BlueZ runs the timers of its monitors on the date.
  func dateWasSet() {
    guard monitors != nil else { return }
    stopMonitors()
    adjust()
  }

  /// An adapter has power, or still has it.
  func begin(_ adapter: BlueZAdapter) {
    self.adapter = adapter
    adjust()
  }

  /// The adapter no longer has power.
  func end(isServiceGone: Bool = false) {
    bus.unsubscribe(tag: Query.deviceChanged.rawValue)
    // Without power BlueZ keeps the registrations.
    if !isServiceGone { stopMonitors() }
    bus.removeExports()
    adapter = nil
    monitors = nil
    losses = [:]
    isMonitoring = false
    isScanning = false
    isChanging = false
    retryAt = nil
    reader.forgetAll()
    isRefused = false
    if isServiceGone {
      outbox.resolve(.monitors, .scan, .denial)
    }
    reportListening()
  }

  func serveTime(at now: BootInstant) {
    for (beacon, instant) in losses where now >= instant {
      losses[beacon] = nil
      if !reader.hasFound(beacon) { outbox.emit(.lost(beacon)) }
    }
    guard let retryAt, now >= retryAt else { return }
    self.retryAt = nil
    adjust()
  }
}

extension BlueZListener {
  private var usesMonitors: Bool {
    switch wantedMethod {
    case .automatic: adapter?.hasMonitors == true && !isRefused
    case .monitors: true
    case .discovery: false
    }
  }

  private func call(_ call: BusCall, _ question: Query) {
    bus.call(call, tag: question.rawValue)
  }

  /// Compares the wanted state with BlueZ's, and requests the difference.
  private func adjust() {
    guard let adapter, retryAt == nil else { return }
    reportMethod()
    if usesMonitors, monitors == nil, !regions.isEmpty { startMonitors(adapter) }
    guard isScanWanted != isScanning, !isChanging else { return }
    isChanging = true
    if isScanWanted {
      bus.listen(to: .changes(of: BlueZName.device), tag: Query.deviceChanged.rawValue)
      // Every advertisement is reported, and nothing of classic Bluetooth.
      let filter = BusValue.properties([
        ("Transport", .text("le")), ("DuplicateData", .boolean(true)),
      ])
      call(BusCall(adapter.path, BlueZName.adapter, "SetDiscoveryFilter", [filter]), .filter)
      call(BusCall(adapter.path, BlueZName.adapter, "StartDiscovery"), .start)
    } else {
      bus.unsubscribe(tag: Query.deviceChanged.rawValue)
      call(BusCall(adapter.path, BlueZName.adapter, "StopDiscovery"), .stop)
    }
  }

  private func reportMethod() {
    guard usesMonitors != reportedKeepsWatch else { return }
    reportedKeepsWatch = usesMonitors
    outbox.emit(.monitors(usesMonitors))
  }

  private func reportListening() {
    let now = now()
    scanTime.turn(isScanning, at: now)
    monitorTime.turn(isMonitoring && !isScanning, at: now)
    let isListening = isScanning || isMonitoring
    guard isListening != reportedListening else { return }
    reportedListening = isListening
    outbox.emit(.listening(isListening))
  }

  private func retryLater() {
    retryAt = now() + Self.retryPauses[min(retries, Self.retryPauses.count - 1)]
    retries += 1
  }

  // MARK: Monitors

  private func startMonitors(_ adapter: BlueZAdapter) {
    registrations += 1
    let monitors = MonitorObjects(
      regions, leastStrength: leastStrength, registration: registrations)
    self.monitors = monitors
    bus.export(monitors.root)
    callManager(of: adapter, "RegisterMonitor", monitors, .register)
  }

  private func stopMonitors() {
    guard let monitors, let adapter else { return }
    forgetMonitors()
    callManager(of: adapter, "UnregisterMonitor", monitors, .unregister)
  }

  private func callManager(
    of adapter: BlueZAdapter, _ member: String, _ monitors: MonitorObjects, _ question: Query
  ) {
    call(
      BusCall(adapter.path, BlueZName.monitorManager, member, [.path(monitors.root)]), question)
  }

  private func forgetMonitors() {
    monitors = nil
    isMonitoring = false
    losses = [:]
    reader.forgetMonitors()
    bus.removeExports()
    reportListening()
  }

  private func refuseMonitors(_ reason: String) {
    forgetMonitors()
    if wantedMethod == .monitors {
      outbox.fail(
        .monitors,
        "BlueZ does not monitor beacons (\(reason)): set \"Experimental = true\" in "
          + "/etc/bluetooth/main.conf, or bluetooth.method to \"auto\"")
      return retryLater()
    }
    isRefused = true
    adjust()
  }

  /// Handles BlueZ's calls to the monitors.
  func serve(_ request: BusRequest) {
    // BlueZ still releases and queries the previous ones after the next ones are registered.
    guard let monitors, monitors.owns(request.path) else {
      return request.refuse("org.freedesktop.DBus.Error.UnknownObject")
    }
    switch (request.interface, request.member) {
    case (BlueZName.objectManager, "GetManagedObjects"):
      request.answer([monitors.managed])
    case (BlueZName.monitor, "Activate"):
      request.answer()
      isMonitoring = true
      outbox.resolve(.monitors)
      reportListening()
    case (BlueZName.monitor, "Release"):
      request.answer()
      refuseMonitors("it has released them")
    case (BlueZName.monitor, "DeviceFound"):
      let path = request.arguments.text(atMost: 255)
      request.answer()
      if let path { reader.foundByMonitor(path) { queryDevice(path, tag: $0) } }
    case (BlueZName.monitor, "DeviceLost"):
      let path = request.arguments.text(atMost: 255)
      request.answer()
      if let path { lost(path) }
    default: request.refuse("org.freedesktop.DBus.Error.UnknownMethod")
    }
  }

  private func lost(_ path: String) {
    guard let beacon = reader.lostByMonitor(path) else { return }
    losses[beacon] = now() + Self.lossPause
  }

  private func queryDevice(_ path: String, tag: Int) {
    bus.call(.all(of: BlueZName.device, at: path), tag: tag)
  }

  // MARK: Discovery

  /// - Returns: whether the signal was for the listener.
  func handleSignal(_ signal: BusMessage, tag: Int) -> Bool {
    guard tag == Query.deviceChanged.rawValue else { return false }
    let path = signal.path
    guard let adapter, path.hasPrefix(adapter.path + "/"), signal.text() != nil else { return true }
    report(reader.changed(signal, at: path) { queryDevice(path, tag: $0) })
    return true
  }

  /// - Parameter signal: positioned at the interfaces of a new object.
  func appeared(_ signal: BusMessage, at path: String) {
    guard let adapter, path.hasPrefix(adapter.path + "/") else { return }
    signal.entries("sa{sv}") {
      guard signal.text(atMost: 255) == BlueZName.device else { return }
      let finding = reader.appeared(signal, at: path)
      if isScanning || isChanging { report(finding) }
      // The first advertisement of a beacon that appears: a monitor reports it only after later
      // ones.
      if case .beacon = finding, isMonitoring, !isScanning { report(finding) }
    }
  }

  /// BlueZ removes a device half a minute after its last advertisement (device.c,
  /// set_temporary_timer), and with it the timer by which its monitor would report it lost
  /// (adv_monitor.c, monitor_device_free): either may come first.
  func disappeared(_ path: String) {
    lost(path)
    reader.gone(path)
  }

  private func report(_ finding: DeviceReader.Finding) {
    switch finding {
    case .beacon(let frame, let strength): outbox.emit(.received(frame, strength))
    case .other:
      let now = now()
      if let lastAliveReport, now - lastAliveReport < Self.alivePause { return }
      lastAliveReport = now
      outbox.emit(.otherDevice)
    case .nothing: break
    }
  }

  // MARK: Answers

  /// - Returns: whether the answer was for the listener.
  func answered(_ message: BusMessage, tag: Int) -> Bool {
    if tag > DeviceReader.firstTag {
      if case .beacon(let frame, let strength) = reader.answered(message, tag: tag) {
        outbox.emit(.found(frame, strength))
      }
      return true
    }
    guard let question = Query(rawValue: tag) else { return false }
    guard question == .start || question == .stop, adapter != nil else { return true }
    isScanning = question == .start
    isChanging = false
    retries = 0
    outbox.resolve(.scan, .denial)
    reportListening()
    adjust()
    return true
  }

  /// - Returns: whether the refusal was for the listener.
  func refused(_ refusal: BusRefusal, tag: Int) -> Bool {
    if tag > DeviceReader.firstTag {
      reader.refused(tag: tag)
      return true
    }
    guard let question = Query(rawValue: tag) else { return false }
    guard adapter != nil else { return true }
    switch question {
    case .register:
      // A registration that is withdrawn before it is complete is refused while the next one is
      // pending.
      if monitors != nil, !bus.isPending(for: tag) { refuseMonitors(refusal.text) }
    case .start:
      isChanging = false
      bus.unsubscribe(tag: Query.deviceChanged.rawValue)
      if refusal.isDenial {
        outbox.fail(
          .denial,
          "BlueZ refuses this user (\(refusal.text)): add it to the group "
            + "\"bluetooth\"")
      } else {
        outbox.fail(.scan, "BlueZ does not start reception: \(refusal.text). Godwit will retry")
      }
      retryLater()
    case .stop:
      isChanging = false
      isScanning = false
      reportListening()
    case .unregister, .filter, .deviceChanged: break
    }
    return true
  }
}
