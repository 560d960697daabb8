import Beacons
import Bus
import Ports
import Quantities

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
  private var outbox = Outbox<BeaconRadioNews, Cause>(room: 256)
  private var regions: [BeaconRegion] = []
  private var isScanWanted = false
  /// Nil: there is none with power.
  private var adapter: BlueZAdapter?
  /// What is registered, or about to be; nil: nothing.
  private var monitors: MonitorObjects?
  private var isMonitoring = false
  /// Monitors were refused: discovery it is, until BlueZ begins anew.
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

  var due: BootInstant? { outbox.isEmpty ? retryAt : .zero }
  var isQuiet: Bool { outbox.isEmpty }
  func next() throws(EvidenceError) -> BeaconRadioNews? { try outbox.next() }

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
    bus.withdraw()
    adapter = nil
    monitors = nil
    isMonitoring = false
    isScanning = false
    isChanging = false
    retryAt = nil
    reader.forgetAll()
    if isServiceGone {
      isRefused = false
      outbox.over(.monitors, .scan, .denial)
    }
    tellListening()
  }

  func serveTime(at now: BootInstant) {
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
    monitors = MonitorObjects(regions, leastStrength: leastStrength)
    bus.offer(MonitorObjects.root)
    callManager(of: adapter, "RegisterMonitor", .register)
  }

  private func stopMonitors() {
    guard monitors != nil, let adapter else { return }
    forgetMonitors()
    callManager(of: adapter, "UnregisterMonitor", .unregister)
  }

  private func callManager(of adapter: BlueZAdapter, _ member: String, _ question: Question) {
    call(
      BusCall(
        adapter.path, BlueZName.monitorManager, member, [.path(MonitorObjects.root)]), question)
  }

  private func forgetMonitors() {
    monitors = nil
    isMonitoring = false
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
    switch (request.interface, request.member) {
    case (BlueZName.objectManager, "GetManagedObjects"):
      request.answer([monitors?.managed ?? .array(signature: "{oa{sa{sv}}}", [])])
    case (BlueZName.monitor, "Activate"):
      request.answer()
      isMonitoring = monitors != nil
      outbox.over(.monitors)
      tellListening()
    case (BlueZName.monitor, "Release"):
      request.answer()
      if monitors != nil { refuseMonitors("it has let go of them") }
    case (BlueZName.monitor, "DeviceFound"):
      let path = request.arguments.text(atMost: 255)
      request.answer()
      if let path { reader.foundByMonitor(path) { askOf(path, tag: $0) } }
    case (BlueZName.monitor, "DeviceLost"):
      let path = request.arguments.text(atMost: 255)
      request.answer()
      if let beacon = path.flatMap({ reader.lostByMonitor($0) }) { outbox.tell(.lost(beacon)) }
    default: request.refuse("org.freedesktop.DBus.Error.UnknownMethod")
    }
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
    }
  }

  func disappeared(_ path: String) { reader.gone(path) }

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
    case .register: if monitors != nil { refuseMonitors(refusal.text) }
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
