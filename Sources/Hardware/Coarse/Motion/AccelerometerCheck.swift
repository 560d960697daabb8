import Glibc
import Platform
import Ports

/// What can be found out about an accelerometer without switching anything.
struct AccelerometerCheck {
  /// Which device it is, and which event reports movement.
  private(set) var text = ""
  /// Why it cannot be used, and what to do about it.
  private(set) var problem: String?
  private(set) var warnings: [String] = []

  /// Nil if the settings name none.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - system: where sysfs is.
  init?(_ settings: MotionSettings, devices: String = "/dev", system: String = "/sys") {
    guard let search = AccelerometerSearch(settings, devices: devices, system: system) else {
      return nil
    }
    do {
      examine(try search.find(), settings, devices)
    } catch {
      problem = error.message
    }
  }

  private mutating func examine(
    _ found: AccelerometerDevice, _ settings: MotionSettings, _ devices: String
  ) {
    guard let event = found.event else { return }
    let files = "\(found.folder)/events/"
    let values = event.values.first.flatMap { SystemFiles.firstLine(of: files + $0) }
    text =
      "\(found.name) (\(found.node)) reports movement by its \(event.kind) events, "
      + "threshold \(values ?? "unknown") in the driver's unit now"
    let needed = [(devices + "/" + found.node, R_OK), (files + event.switches[0], R_OK | W_OK)]
    for (path, use) in needed where access(path, use) != 0 {
      let error = SystemError.last
      problem =
        "\(path) cannot be used (\(error.text)). "
        + DeviceAccess.advice(for: path, udevRule: "60-godwit-access.rules grants godwit access")
      return
    }
    if settings.threshold != nil, found.eventScale == nil || event.values.isEmpty {
      warnings.append(
        "the driver of \(found.name) does not specify the unit of its thresholds: set "
          + "motion.threshold_mps2 = 0 and write \(files)\(event.kind) values by a udev rule")
    }
    guard settings.wakesBoard else { return }
    if found.isWaking == nil {
      warnings.append(
        "motion.wakes_board: \(found.name) cannot wake the board: its driver has no power/wakeup "
          + "(wakeup-source in the device tree)")
    } else if found.isWaking == false {
      warnings.append(
        "motion.wakes_board: \(found.name) does not wake the board yet; the daemon enables it when "
          + "it starts and may write its power/wakeup")
    }
  }
}
