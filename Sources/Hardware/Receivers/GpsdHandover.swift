import Glibc
import Platform
import Ports
import Core

/// Whether gpsd has the device: takes it from gpsd before the receiver's power is cut and gives it
/// to gpsd afterwards, over gpsd's control socket. Learns which device it is.
struct GpsdHandover {
  enum Passage { case passed, refused(String), unavailable }

  private let settings: GpsdSettings
  private let errors: GpsdErrorText
  /// The only device in gpsd's last list.
  private var learnt: String?
  /// Whether gpsd may hold the device on our behalf.
  private var isHeld = false
  /// What does not work although positions may come, in a sentence for users.
  private(set) var warning: String?

  init(_ settings: GpsdSettings) {
    self.settings = settings
    errors = GpsdErrorText(settings: settings)
  }

  private var device: String? { settings.device ?? learnt }

  private var control: String? { settings.isLocal ? settings.control : nil }

  /// Begins to give the device to gpsd; nil when that is not needed or not possible.
  mutating func take() -> GpsdControlRequest? {
    isHeld = true
    warning = nil
    guard let control else { return nil }
    // Reported before the first power cut, which would be too late.
    if settings.givesBack, access(control, W_OK) != 0 {
      warning = errors.uncontrolled(control, .last)
      return nil
    }
    return device.map { GpsdControlRequest(GpsdCommand.add($0), socket: control) }
  }

  /// gpsd also answers ERROR for a device that it already has. Its device reports say more.
  mutating func taken(_ outcome: GpsdControlRequest.Outcome) {
    if case .unreachable(let code) = outcome, let control {
      warning = errors.uncontrolled(control, SystemError(code: code))
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
    case .timedOut: warning = errors.timedOut(control, device)
    // No gpsd runs that could hold it.
    case .unreachable(ECONNREFUSED), .unreachable(ECONNRESET): break
    case .unreachable(let code): warning = errors.uncontrolled(control, SystemError(code: code))
    }
  }

  /// - Returns: what ends the connection, so that the device is given to gpsd once more.
  mutating func received(_ report: GpsdDevices.Report) -> PortError? {
    switch report {
    case .all(let devices): return receivedAll(devices)
    case .released(let path): return path == device ? errors.released(path) : nil
    case .present(let path):
      if learnt == nil {
        learnt = path
        warning = nil
      }
      return nil
    }
  }

  private mutating func receivedAll(_ devices: [String]) -> PortError? {
    if settings.device != nil { return nil }
    if devices.isEmpty {
      if let learnt, control != nil { return errors.notTakenBack(learnt) }
      warning = errors.nothingServed
      return nil
    }
    learnt = devices.count == 1 ? devices[0] : nil
    if devices.count > 1 && settings.givesBack { warning = errors.several(devices) }
    return nil
  }

  /// Passes bytes to the receiver. `unavailable`: only the connection of every client is left.
  ///
  /// - Parameter end: when there is no more time for it.
  func pass(_ bytes: ArraySlice<UInt8>, before end: BootInstant) throws(PortError) -> Passage {
    guard let control, let device else { return .unavailable }
    let command = GpsdCommand.pass(bytes, to: device)
    switch GpsdControlRequest.ask(command, socket: control, before: end) {
    case .done: return .passed
    case .refused: return .refused(errors.notPassed(bytes.count, to: device))
    case .timedOut: throw .lost("\(errors.name) takes no commands; see systemctl status gpsd")
    case .unreachable: return .unavailable
    }
  }
}
