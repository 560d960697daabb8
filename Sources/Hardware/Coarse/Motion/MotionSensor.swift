import Platform
import Ports
import Core
import Records

/// A motion sensor, on a GPIO line or as an accelerometer of the kernel's, as a source of evidence.
///
/// A shaken switch gives thousands of edges, and the board is to sleep nevertheless: after an edge
/// the sensor is disabled for a while (`MotionSettings.mask`) and raises no interrupt. Continuing
/// movement is reported every time the mask ends; bouncing after a knock is over by then.
///
/// A sensor that is unavailable or lost is tried again, less and less often; each cause is reported
/// once.
public final class MotionSensor: EvidencePort {
  /// The tracker's name for this source.
  public let name = "motion"

  private let now: () -> BootInstant
  private let request: () throws(PortError) -> any EdgeInput
  private let mask: Seconds
  private var input: (any EdgeInput)?
  private var schedule = EdgeListeningSchedule()
  private var absence = RetryState()
  private var openings = 0

  /// Nil if the settings name no sensor. It is requested when the loop first serves it.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - system: where sysfs is.
  public convenience init?(
    _ settings: MotionSettings, devices: String = "/dev", system: String = "/sys"
  ) {
    if let search = settings.lineSearch(devices) {
      self.init(mask: settings.mask) { () throws(PortError) in try search.request() }
    } else if let search = AccelerometerSearch(settings, devices: devices, system: system) {
      self.init(mask: settings.mask) { () throws(PortError) in try search.request() }
    } else {
      return nil
    }
  }

  init(
    mask: Seconds, now: @escaping () -> BootInstant = { BootClock.now },
    request: @escaping () throws(PortError) -> any EdgeInput
  ) {
    self.mask = mask
    self.now = now
    self.request = request
  }

  static let descriptor = EvidenceSourceDescriptor(
    "motion", MotionSettings.self, examine: { findings($0) }, make: { MotionSensor($0) })

  /// Whether its line is free, or its accelerometer can report movement: nothing is requested or
  /// switched.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - sysfs: the mount point of sysfs.
  /// - Returns: empty: the settings name no sensor.
  public static func findings(
    _ settings: MotionSettings, devices: String = "/dev", sysfs: String = "/sys"
  ) -> [Finding] {
    let part = descriptor.name
    var findings: [Finding] = []
    if let line = settings.line, let check = settings.lineSearch(devices)?.examine() {
      findings.append(check.finding(part, written: line.text))
      if settings.debounce > 0, !EdgeLine.canDebounce {
        findings.append(
          .warn(
            part,
            "motion.debounce_s is ignored: \(LineCheck.library) cannot debounce. Set it to 0, or "
              + "put a capacitor across the switch"))
      }
    }
    if let check = AccelerometerCheck(settings, devices: devices, system: sysfs) {
      findings.append(check.problem.map { .fail(part, $0) } ?? .ok(part, check.text))
      findings += check.warnings.map { .warn(part, $0) }
    }
    return findings
  }

  public var interest: Interest? {
    guard let input, schedule.listeningSince != nil else { return nil }
    return Interest(input.descriptor, opening: openings)
  }

  public var due: BootInstant? { schedule.due }

  public func poll() throws(PortError) -> Evidence? {
    let now = now()
    do {
      switch schedule.task(at: now) {
      case nil: return nil
      case .open:
        input = try request()
        absence.ended(at: now)
        listens(at: now)
      case .listen:
        try input?.enable()
        listens(at: now)
      case .take:
        guard let input, try input.readEvents() > 0 else { return nil }
        schedule.rests(until: now + mask)
        try input.disable()
        return .motion
      }
    } catch {
      input = nil
      let (next, isNews) = absence.failed(error, at: now)
      schedule.lost(until: next)
      if isNews { throw error }
    }
    return nil
  }

  /// The loop watches it anew: the descriptor is another one, or was not watched meanwhile.
  private func listens(at now: BootInstant) {
    openings += 1
    schedule.listens(at: now)
  }
}

extension MotionSettings {
  fileprivate func lineSearch(_ devices: String) -> EdgeLineSearch? {
    line.map {
      EdgeLineSearch(
        setting: "motion.line", line: $0, edge: edge, debounce: debounce, devices: devices)
    }
  }
}
