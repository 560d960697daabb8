import Hardware

/// Whether the motion sensor is there: its line free, or its accelerometer able to tell of
/// movement. Nothing is requested or switched.
enum MotionDiagnosis {
  private static let part = "motion"

  /// None: the settings name no sensor.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - sysfs: where the kernel shows its devices.
  static func findings(
    _ settings: MotionSettings, devices: String = "/dev", sysfs: String = "/sys"
  ) -> [Finding] {
    var findings: [Finding] = []
    if let line = settings.line, let check = MotionSensor.examine(settings, devices: devices) {
      findings.append(check.finding(part, written: line.text))
      if settings.debounce > 0, !MotionSensor.canDebounce {
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
}

/// Whether it can be read if something else than the battery supplies the board.
enum ExternalPowerDiagnosis {
  private static let part = "external_power"

  /// Nil: the settings name nothing that tells of it.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - sysfs: where the kernel shows its devices.
  static func finding(
    _ settings: ExternalPowerSettings, devices: String = "/dev", sysfs: String = "/sys"
  ) -> Finding? {
    switch ExternalPower.examine(settings, devices: devices, system: sysfs) {
    case nil: nil
    case .line(let check): check.finding(part, written: settings.line?.text ?? "")
    case .supply(.success(let isOn)):
      .ok(part, "\(settings.supply ?? "the supply") is \(isOn ? "online" : "offline")")
    case .supply(.failure(let error)): .fail(part, error.message)
    }
  }
}
