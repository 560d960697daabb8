import Hardware

/// Checks the motion sensor: that its line is free, or that its accelerometer can report movement.
/// Nothing is requested or switched.
enum MotionDiagnosis {
  private static let part = "motion"

  /// Empty: the settings name no sensor.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - sysfs: the mount point of sysfs.
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

/// Checks that the state of the external supply can be read.
enum ExternalPowerDiagnosis {
  private static let part = "external_power"

  /// Nil: the settings name no source for it.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - sysfs: the mount point of sysfs.
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
