import MotionSensor

/// Whether the motion sensor's line exists and is free. It is not requested.
enum MotionDiagnosis {
  /// Nil: the settings name no line.
  /// - Parameter devices: the folder of the chips' devices.
  static func finding(_ settings: MotionSettings, devices: String = "/dev") -> Finding? {
    guard let line = settings.line else { return nil }
    return MotionLine.examine(settings, devices: devices)?.finding("motion", written: line.text)
  }
}
