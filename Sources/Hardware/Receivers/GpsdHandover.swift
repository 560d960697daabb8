import Glibc
import Platform
import Ports
import Core

/// Hands the device over: releases it from gpsd before the receiver's power is cut and adds it to
/// gpsd afterwards, over gpsd's control socket. Finds out which device it is.
struct GpsdHandover {
  enum Passage { case passed, refused(String), unavailable }

  private let settings: GpsdSettings
  private let errors: GpsdErrorText
  /// The only device in gpsd's last list.
  private var detectedDevice: String?
  /// Whether gpsd may hold the device on our behalf.
  private var isHeld = false
  /// A sentence for users about something that fails although positions may arrive.
  private(set) var warning: String?

  init(_ settings: GpsdSettings) {
    self.settings = settings
    errors = GpsdErrorText(settings: settings)
  }

  private var device: String? { settings.device ?? detectedDevice }

  private var control: String? { settings.isLocal ? settings.control : nil }

  /// Starts to add the device to gpsd; nil if that is not needed or not possible.
  mutating func add() -> GpsdControlRequest? {
    isHeld = true
    warning = nil
    guard let control else { return nil }
    // Reported before the first power cut, which would be too late.
    if settings.releasesDevice, access(control, W_OK) != 0 {
      warning = errors.uncontrolled(control, .last)
      return nil
    }
    return device.map { GpsdControlRequest(GpsdCommand.add($0), socket: control) }
  }

  /// gpsd also answers ERROR for a device that it already has. Its device reports give more detail.
  mutating func added(_ outcome: GpsdControlRequest.Outcome) {
    if case .unreachable(let code) = outcome, let control {
      warning = errors.uncontrolled(control, SystemError(code: code))
    }
  }

  /// Releases the device from gpsd. Waits for the answer, because the power is cut next.
  mutating func release() {
    guard isHeld else { return }
    isHeld = false
    guard settings.releasesDevice, let control, let device else { return }
    switch GpsdControlRequest.ask(GpsdCommand.remove(device), socket: control) {
    // ERROR: gpsd does not have it.
    case .done, .refused: break
    case .timedOut: warning = errors.timedOut(control, device)
    // No gpsd is running that could hold it.
    case .unreachable(ECONNREFUSED), .unreachable(ECONNRESET): break
    case .unreachable(let code): warning = errors.uncontrolled(control, SystemError(code: code))
    }
  }

  /// - Returns: an error that ends the connection, so that the device is added to gpsd once more.
  mutating func received(_ report: GpsdDevices.Report) -> PortError? {
    switch report {
    case .all(let devices): return receivedAll(devices)
    case .released(let path): return path == device ? errors.released(path) : nil
    case .present(let path):
      if detectedDevice == nil {
        detectedDevice = path
        warning = nil
      }
      return nil
    }
  }

  private mutating func receivedAll(_ devices: [String]) -> PortError? {
    if settings.device != nil { return nil }
    if devices.isEmpty {
      if let detectedDevice, control != nil { return errors.notAdded(detectedDevice) }
      warning = errors.nothingServed
      return nil
    }
    detectedDevice = devices.count == 1 ? devices[0] : nil
    if devices.count > 1 && settings.releasesDevice { warning = errors.several(devices) }
    return nil
  }

  /// Passes bytes to the receiver. `unavailable`: they can only be sent over the ordinary client
  /// connection.
  ///
  /// - Parameter end: when there is no more time for it.
  func pass(_ bytes: ArraySlice<UInt8>, before end: BootInstant) throws(PortError) -> Passage {
    guard let control, let device else { return .unavailable }
    let command = GpsdCommand.pass(bytes, to: device)
    switch GpsdControlRequest.ask(command, socket: control, before: end) {
    case .done: return .passed
    case .refused: return .refused(errors.notPassed(bytes.count, to: device))
    case .timedOut: throw .lost("\(errors.name) accepts no commands; see systemctl status gpsd")
    case .unreachable: return .unavailable
    }
  }
}
