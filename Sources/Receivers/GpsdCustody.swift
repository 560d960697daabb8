import Glibc
import Ports

/// Who has the device, gpsd or nobody: takes it from gpsd before the receiver's power is cut and
/// gives it to gpsd afterwards, over gpsd's control socket. Learns which device it is.
struct GpsdCustody {
  enum Passage { case passed, refused(String), noWay }

  private let settings: GpsdSettings
  private let fault: GpsdFault
  /// The only device that gpsd had when it last told.
  private var learnt: String?
  /// Whether gpsd may hold the device on our behalf.
  private var isHeld = false
  /// What cannot be done although positions may come; told to people.
  private(set) var shortcoming: String?

  init(_ settings: GpsdSettings) {
    self.settings = settings
    fault = GpsdFault(settings: settings)
  }

  private var device: String? { settings.device ?? learnt }

  private var control: String? { settings.isLocal ? settings.control : nil }

  /// Begins to give the device to gpsd; nil when there is no need or no way to.
  mutating func take() -> GpsdControlRequest? {
    isHeld = true
    shortcoming = nil
    guard let control else { return nil }
    // Told before the first power cut, which would be too late.
    if settings.givesBack, access(control, W_OK) != 0 {
      shortcoming = fault.uncontrolled(control, errno)
      return nil
    }
    return device.map { GpsdControlRequest(GpsdCommand.add($0), socket: control) }
  }

  /// gpsd also says ERROR to a device that it already has. The reports of its devices tell more.
  mutating func taken(_ outcome: GpsdControlRequest.Outcome) {
    if case .unreachable(let code) = outcome, let control {
      shortcoming = fault.uncontrolled(control, code)
    }
  }

  /// Takes the device from gpsd. Waits for the answer, because the power goes next.
  mutating func giveBack() {
    guard isHeld else { return }
    isHeld = false
    guard settings.givesBack, let control, let device else { return }
    switch GpsdControlRequest.ask(GpsdCommand.remove(device), socket: control) {
    // ERROR: gpsd does not have it.
    case .done, .refused: break
    case .silent: shortcoming = fault.silent(control, device)
    // Nobody is there who could hold it.
    case .unreachable(ECONNREFUSED), .unreachable(ECONNRESET): break
    case .unreachable(let code): shortcoming = fault.uncontrolled(control, code)
    }
  }

  /// - Returns: what ends the connection, so that the device is given to gpsd once more.
  mutating func heard(_ report: GpsdDevices.Report) -> ReceiverError? {
    switch report {
    case .all(let devices): return heardOfAll(devices)
    case .released(let path): return path == device ? fault.released(path) : nil
    case .present(let path):
      if learnt == nil {
        learnt = path
        shortcoming = nil
      }
      return nil
    }
  }

  private mutating func heardOfAll(_ devices: [String]) -> ReceiverError? {
    if settings.device != nil { return nil }
    if devices.isEmpty {
      if let learnt, control != nil { return fault.notTakenBack(learnt) }
      shortcoming = fault.nothingServed
      return nil
    }
    learnt = devices.count == 1 ? devices[0] : nil
    if devices.count > 1 && settings.givesBack { shortcoming = fault.several(devices) }
    return nil
  }

  /// Passes bytes to the receiver; `noWay` leaves the way of every client.
  ///
  /// - Parameter end: when there is no more time for it, on the clock of the requests.
  func pass(_ bytes: ArraySlice<UInt8>, before end: Int) throws(ReceiverError) -> Passage {
    guard let control, let device else { return .noWay }
    let command = GpsdCommand.pass(bytes, to: device)
    switch GpsdControlRequest.ask(command, socket: control, before: end) {
    case .done: return .passed
    case .refused: return .refused(fault.notPassed(bytes.count, to: device))
    case .silent: throw .lost("\(fault.name) takes no commands; see systemctl status gpsd")
    case .unreachable: return .noWay
    }
  }
}
