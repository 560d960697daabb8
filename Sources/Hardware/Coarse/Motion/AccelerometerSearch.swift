import Core
import Platform
import Ports

/// Finds the accelerometer named in the settings among the IIO devices, and says why it is
/// unavailable.
struct AccelerometerSearch {
  /// Its name; nil: the first that can report movement.
  private let wanted: String?
  private let threshold: MetresPerSecondSquared?
  private let wakesBoard: Bool
  private let devices: String
  private let system: String
  /// A board has a few.
  private static let maxDevices = 64

  /// Nil if the settings name none.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - system: where sysfs is.
  init?(_ settings: MotionSettings, devices: String, system: String) {
    guard let name = settings.accelerometer else { return nil }
    wanted = name == MotionSettings.anyAccelerometer ? nil : name
    threshold = settings.threshold
    wakesBoard = settings.wakesBoard
    self.devices = devices
    self.system = system
  }

  func request() throws(PortError) -> Accelerometer {
    let found = try find()
    if wakesBoard { _ = found.wake() }
    return try Accelerometer(
      found, threshold: threshold, device: "\(devices)/\(found.node)", system: system)
  }

  func find() throws(PortError) -> AccelerometerDevice {
    let root = system + "/bus/iio/devices"
    let nodes = SystemFiles.names(in: root).compactMap { name in
      name.hasPrefix("iio:device") ? UInt32(name.dropFirst("iio:device".count)) : nil
    }.sorted().prefix(Self.maxDevices).map { "iio:device\($0)" }
    let all = nodes.map { AccelerometerDevice(node: $0, folder: "\(root)/\($0)") }
    if let found = all.first(where: { $0.event != nil && (wanted == nil || $0.name == wanted) }) {
      return found
    }
    let there = all.map { "\($0.name) (\($0.node))" }.joined(separator: ", ")
    guard let wanted else {
      throw because(
        "no accelerometer here reports movement by itself; IIO devices: "
          + (there.isEmpty
            ? "none. Check that its driver is loaded and its interrupt wired" : there))
    }
    guard let same = all.first(where: { $0.name == wanted }) else {
      throw because(
        "there is no IIO device of that name; those here: \(there.isEmpty ? "none" : there)")
    }
    throw because(
      "\(same.node) has no event for movement (\(same.folder)/events); check that its interrupt is "
        + "wired, and described in the device tree. You can use its interrupt line as motion.line"
    )
  }

  private func because(_ reason: String) -> PortError {
    PortError(
      "motion.accelerometer = \"\(wanted ?? MotionSettings.anyAccelerometer)\": \(reason)")
  }
}

/// An IIO device in sysfs.
struct AccelerometerDevice {
  /// "iio:device0".
  let node: String
  /// The chip's name: "kxcj91008".
  let name: String
  let folder: String
  /// Nil: none that reports movement.
  let event: AccelerometerEvent?

  init(node: String, folder: String) {
    self.node = node
    self.folder = folder
    name = TerminalText.line(SystemFiles.firstLine(of: folder + "/name") ?? "without a name")
    event = AccelerometerEvent(files: SystemFiles.names(in: folder + "/events"))
  }

  /// Metres per second squared for one unit of an event's value; nil: not given by the driver. A
  /// separate scale for events is in their folder.
  var eventScale: Double? {
    ["/events/in_accel_scale", "/in_accel_scale", "/in_accel_x_scale"].lazy.compactMap { file in
      SystemFiles.firstLine(of: folder + file).flatMap { Double($0) }
    }.first { $0.isFinite && $0 > 0 }
  }

  /// Whether its interrupt wakes the board from sleep; nil: it cannot. The attribute belongs to the
  /// chip, of which the IIO device is a part (Documentation/ABI/testing/sysfs-devices-power).
  var isWaking: Bool? { SystemFiles.firstLine(of: wakeFile).map { $0 == "enabled" } }

  /// Makes it a wake-up source, if it can be one.
  /// - Returns: why not; nil: it is one, or cannot be.
  func wake() -> SystemError? {
    guard isWaking == false else { return nil }
    return SmallFile.write("enabled", to: wakeFile)
  }

  private var wakeFile: String {
    PathParts(SystemFiles.resolved(folder) ?? folder).folder + "/power/wakeup"
  }
}
