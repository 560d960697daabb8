import RadioSignals
import Ports
import Core

/// Listens for beacons with one adapter of BlueZ's.
///
/// What it listens by is chosen by asking. Advertisement monitors wake this board only when a
/// beacon comes or goes; BlueZ offers them when it is started with `Experimental = true`. Else
/// there is discovery, which tells of everything that is heard, and is switched on and off as it
/// is planned elsewhere.
final class BlueZListener {
  /// A sign of life of what is no beacon is told at most so often.
  private static let alivePause = Seconds(60)
  private static let retryPauses = [Seconds(5), 30, 300]
  /// Without power, adapter or service BlueZ has lost all that was found, and says so an instant
  /// before it says why (adapter.c, set_mode and adapter_remove): that is no departure.
  private static let lossPause = Seconds(1)
  /// Of the time for which monitors are active the receiver is on: 30 ms of every 60 (the kernel's
  /// default for them, hci_core.c: le_scan_window_adv_monitor).
  private static let monitorDuty = 0.5

  /// Above those of the radio, below those of devices.
  private enum Question: Int {
    case register = 100
    case unregister, filter, start, stop, deviceChanged
  }

  private enum Cause { case monitors, scan, denial }

  private let bus: BusConnection
  private let wantedMethod: BluetoothSettings.Method
  private let leastStrength: DecibelMilliwatts
  private let now: () -> BootInstant
  private var outbox = Outbox<BeaconRadioEvent, Cause>(room: 256)
  private var regions: [BeaconRegion] = []
  private var isScanWanted = false
  /// Nil: there is none with power.
  private var adapter: BlueZAdapter?
  /// What is registered, or about to be; nil: nothing.
  private var monitors: MonitorObjects?
  private var isMonitoring = false
  /// Of those that were registered, with this one.
  private var registrations = 0
  /// What is lost, and when it is told.
  private var losses: [BeaconIdentity: BootInstant] = [:]
  /// Monitors were refused: discovery it is, until the adapter begins anew.
  private var isRefused = false
  private var isScanning = false
  /// A call that starts or stops is not answered yet.
  private var isChanging = false
  private var reader = DeviceReader()
  private var toldAlive: BootInstant?
  private var toldListening = false
  private var toldKeepsWatch = false
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

  /// How long the receiver was on.
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

  /// BlueZ times what its monitors find by the date.
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

  /// It has none any more.
  func end(isServiceGone: Bool = false) {
    bus.ignore(tag: Question.deviceChanged.rawValue)
    // Without power BlueZ keeps what is registered.
    if !isServiceGone { stopMonitors() }
    bus.withdraw()
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
      outbox.over(.monitors, .scan, .denial)
    }
    tellListening()
  }

  func serveTime(at now: BootInstant) {
    for (beacon, instant) in losses where now >= instant {
      losses[beacon] = nil
      if !reader.hasFound(beacon) { outbox.tell(.lost(beacon)) }
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

  private func call(_ call: BusCall, _ question: Question) {
    bus.call(call, tag: question.rawValue)
  }

  /// Compares what is wanted with what BlueZ does, and asks for the difference.
  private func adjust() {
    guard let adapter, retryAt == nil else { return }
    tellMethod()
    if usesMonitors, monitors == nil, !regions.isEmpty { startMonitors(adapter) }
    guard isScanWanted != isScanning, !isChanging else { return }
    isChanging = true
    if isScanWanted {
      bus.listen(to: .changes(of: BlueZName.device), tag: Question.deviceChanged.rawValue)
      // Every advertisement counts, and nothing of classic Bluetooth.
      let filter = BusValue.properties([
        ("Transport", .text("le")), ("DuplicateData", .boolean(true)),
      ])
      call(BusCall(adapter.path, BlueZName.adapter, "SetDiscoveryFilter", [filter]), .filter)
      call(BusCall(adapter.path, BlueZName.adapter, "StartDiscovery"), .start)
    } else {
      bus.ignore(tag: Question.deviceChanged.rawValue)
      call(BusCall(adapter.path, BlueZName.adapter, "StopDiscovery"), .stop)
    }
  }

  private func tellMethod() {
    guard usesMonitors != toldKeepsWatch else { return }
    toldKeepsWatch = usesMonitors
    outbox.tell(.keepsWatch(usesMonitors))
  }

  private func tellListening() {
    let now = now()
    scanTime.turn(isScanning, at: now)
    monitorTime.turn(isMonitoring && !isScanning, at: now)
    let isListening = isScanning || isMonitoring
    guard isListening != toldListening else { return }
    toldListening = isListening
    outbox.tell(.listening(isListening))
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
    bus.offer(monitors.root)
    callManager(of: adapter, "RegisterMonitor", monitors, .register)
  }

  private func stopMonitors() {
    guard let monitors, let adapter else { return }
    forgetMonitors()
    callManager(of: adapter, "UnregisterMonitor", monitors, .unregister)
  }

  private func callManager(
    of adapter: BlueZAdapter, _ member: String, _ monitors: MonitorObjects, _ question: Question
  ) {
    call(
      BusCall(adapter.path, BlueZName.monitorManager, member, [.path(monitors.root)]), question)
  }

  private func forgetMonitors() {
    monitors = nil
    isMonitoring = false
    losses = [:]
    reader.forgetMonitors()
    bus.withdraw()
    tellListening()
  }

  private func refuseMonitors(_ reason: String) {
    forgetMonitors()
    if wantedMethod == .monitors {
      outbox.fail(
        .monitors,
        "BlueZ does not watch for beacons (\(reason)): set \"Experimental = true\" in "
          + "/etc/bluetooth/main.conf, or bluetooth.method to \"auto\"")
      return retryLater()
    }
    isRefused = true
    adjust()
  }

  /// What BlueZ asks of the monitors, and tells them.
  func serve(_ request: BusRequest) {
    // It lets go of those that were, and asks after them, when the next ones are there already.
    guard let monitors, monitors.owns(request.path) else {
      return request.refuse("org.freedesktop.DBus.Error.UnknownObject")
    }
    switch (request.interface, request.member) {
    case (BlueZName.objectManager, "GetManagedObjects"):
      request.answer([monitors.managed])
    case (BlueZName.monitor, "Activate"):
      request.answer()
      isMonitoring = true
      outbox.over(.monitors)
      tellListening()
    case (BlueZName.monitor, "Release"):
      request.answer()
      refuseMonitors("it has let go of them")
    case (BlueZName.monitor, "DeviceFound"):
      let path = request.arguments.text(atMost: 255)
      request.answer()
      if let path { reader.foundByMonitor(path) { askOf(path, tag: $0) } }
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

  private func askOf(_ path: String, tag: Int) {
    bus.call(.all(of: BlueZName.device, at: path), tag: tag)
  }

  // MARK: Discovery

  /// - Returns: whether it was for the listener.
  func heard(_ signal: BusMessage, tag: Int) -> Bool {
    guard tag == Question.deviceChanged.rawValue else { return false }
    let path = signal.path
    guard let adapter, path.hasPrefix(adapter.path + "/"), signal.text() != nil else { return true }
    tell(reader.changed(signal, at: path) { askOf(path, tag: $0) })
    return true
  }

  /// - Parameter signal: whose next are the interfaces of a new object.
  func appeared(_ signal: BusMessage, at path: String) {
    guard let adapter, path.hasPrefix(adapter.path + "/") else { return }
    signal.entries("sa{sv}") {
      guard signal.text(atMost: 255) == BlueZName.device else { return }
      let finding = reader.appeared(signal, at: path)
      if isScanning || isChanging { tell(finding) }
      // The first advertisement of one that comes: a monitor finds it only with later ones.
      if case .beacon = finding, isMonitoring, !isScanning { tell(finding) }
    }
  }

  /// BlueZ removes a device half a minute after its last advertisement (device.c,
  /// set_temporary_timer), and with it the timer by which its monitor would lose it
  /// (adv_monitor.c, monitor_device_free): which of the two comes first is chance.
  func disappeared(_ path: String) {
    lost(path)
    reader.gone(path)
  }

  private func tell(_ finding: DeviceReader.Finding) {
    switch finding {
    case .beacon(let frame, let strength): outbox.tell(.heard(frame, strength))
    case .other:
      let now = now()
      if let toldAlive, now - toldAlive < Self.alivePause { return }
      toldAlive = now
      outbox.tell(.alive)
    case .nothing: break
    }
  }

  // MARK: Answers

  /// - Returns: whether it was for the listener.
  func answered(_ message: BusMessage, tag: Int) -> Bool {
    if tag > DeviceReader.firstTag {
      if case .beacon(let frame, let strength) = reader.answered(message, tag: tag) {
        outbox.tell(.found(frame, strength))
      }
      return true
    }
    guard let question = Question(rawValue: tag) else { return false }
    guard question == .start || question == .stop, adapter != nil else { return true }
    isScanning = question == .start
    isChanging = false
    retries = 0
    outbox.over(.scan, .denial)
    tellListening()
    adjust()
    return true
  }

  /// - Returns: whether it was for the listener.
  func refused(_ refusal: BusRefusal, tag: Int) -> Bool {
    if tag > DeviceReader.firstTag {
      reader.refused(tag: tag)
      return true
    }
    guard let question = Question(rawValue: tag) else { return false }
    guard adapter != nil else { return true }
    switch question {
    case .register:
      // One that is given up before it is complete is refused while the next one is waited for.
      if monitors != nil, !bus.waits(for: tag) { refuseMonitors(refusal.text) }
    case .start:
      isChanging = false
      bus.ignore(tag: Question.deviceChanged.rawValue)
      if refusal.isDenial {
        outbox.fail(
          .denial,
          "BlueZ refuses to listen for this user (\(refusal.text)): add it to the group "
            + "\"bluetooth\"")
      } else {
        outbox.fail(.scan, "BlueZ does not begin to listen: \(refusal.text). It is tried again")
      }
      retryLater()
    case .stop:
      isChanging = false
      isScanning = false
      tellListening()
    case .unregister, .filter, .deviceChanged: break
    }
    return true
  }
}
