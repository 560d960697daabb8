import CLinux
import Glibc
import Platform
import Ports
import Core

/// An accelerometer of the kernel's industrial I/O that reports movement by events: the chip
/// compares, and interrupts; nothing is sampled. The kernel queues 16 events
/// (drivers/iio/industrialio-event.c).
///
/// While this input is disabled, its events are switched off in the chip. If the driver is unbound,
/// the descriptor stays silent, so the kernel's message about that is awaited, too.
final class Accelerometer: EdgeInput {
  /// Ready for both: events, and removal.
  let descriptor: Int32
  private let events: Int32
  private let removal: UeventSocket
  private let found: AccelerometerDevice
  private let event: AccelerometerEvent
  private static let maxReads = 4
  /// IIO_ACCEL of linux/iio/types.h, in an event's number.
  private static let accelerationType: UInt64 = 3

  /// - Parameters:
  ///   - threshold: nil: the driver's.
  ///   - device: "/dev/iio:device0".
  ///   - system: where sysfs is.
  init(
    _ found: AccelerometerDevice, threshold: MetresPerSecondSquared?, device: String,
    system: String
  ) throws(PortError) {
    guard let event = found.event else { throw Self.because("it has no events", found) }
    let path = SystemFiles.resolved(found.folder)?.dropFirst(system.count) ?? ""
    removal = try UeventSocket(["remove"], of: String(path))
    let both = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard both >= 0 else { throw Self.because(SystemError.last.text, found) }
    let events: Int32
    do {
      events = try Self.openEvents(of: device, found)
    } catch {
      close(both)
      throw error
    }
    descriptor = both
    self.events = events
    self.found = found
    self.event = event
    for source in [events, removal.descriptor] {
      var interest = epoll_event()
      interest.events = EPOLLIN.rawValue
      guard epoll_ctl(both, EPOLL_CTL_ADD, source, &interest) == 0 else {
        throw Self.because(SystemError.last.text, found)
      }
    }
    if let threshold { try set(threshold) }
    try enable()
  }

  deinit {
    for file in event.switches { _ = SmallFile.write("0", to: path(file)) }
    close(events)
    close(descriptor)
  }

  func readEvents() throws(PortError) -> Int {
    if removal.readMessages() > 0 { throw gone(SystemError(code: ENODEV)) }
    return try takeEvents()
  }

  /// - Returns: the number of acceleration events; other programs may have enabled other events.
  private func takeEvents() throws(PortError) -> Int {
    var sum = 0
    for _ in 0..<Self.maxReads {
      var taken = 0
      let size = MemoryLayout<iio_event_data>.stride
      let got = withUnsafeTemporaryAllocation(of: iio_event_data.self, capacity: 16) { buffer in
        let got = read(events, buffer.baseAddress, buffer.count * size)
        let count = max(got, 0) / size
        taken = buffer.prefix(count).count { $0.id >> 32 & 0xff == Self.accelerationType }
        return got
      }
      if got < 0 {
        let error = SystemError.last
        if error.code == EAGAIN || error.code == EINTR { break }
        throw gone(error)
      }
      guard got > 0 else { break }
      sum += taken
    }
    return sum
  }

  /// An attribute that refuses is ignored: its events are not awaited, and their queue is bounded.
  func disable() throws(PortError) {
    for file in event.switches {
      if let error = SmallFile.write("0", to: path(file)), error.code == ENOENT || error.isAbsence {
        throw gone(error)
      }
    }
  }

  /// Chips with fewer comparators than axes refuse some of them: one axis is enough.
  func enable() throws(PortError) {
    _ = try takeEvents()
    var isOn = false
    var refusal: SystemError?
    for file in event.switches {
      let error = SmallFile.write("1", to: path(file))
      isOn = isOn || error == nil
      refusal = refusal ?? error
    }
    guard !isOn, let refusal else { return }
    throw refusal.isAbsence ? gone(refusal) : denied(refusal, event.switches[0])
  }

  private func set(_ threshold: MetresPerSecondSquared) throws(PortError) {
    guard let file = event.values.first else { return }
    guard let scale = found.eventScale, threshold.value / scale < 1e9 else {
      throw because(
        "the driver does not specify the unit of \(path(file)); write the threshold there by a "
          + "udev rule, and set motion.threshold_mps2 = 0")
    }
    let raw = max(1, Int((threshold.value / scale).rounded()))
    for file in event.values {
      guard let error = SmallFile.write("\(raw)", to: path(file)) else { continue }
      guard error.code == EINVAL || error.code == ERANGE else { throw denied(error, file) }
      let now = SystemFiles.firstLine(of: path(file)) ?? "unknown"
      throw because(
        "the driver does not accept \(raw) for \(path(file)) (\(error.text)), which is \(now) now: "
          + "it uses another unit. Write the threshold there by a udev rule, and set "
          + "motion.threshold_mps2 = 0")
    }
  }

  private func path(_ file: String) -> String { "\(found.folder)/events/\(file)" }
}

// MARK: Errors

extension Accelerometer {
  private static func openEvents(
    of device: String, _ found: AccelerometerDevice
  ) throws(PortError) -> Int32 {
    let file = open(device, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      let error = SystemError.last
      let advice =
        error.code == EACCES || error.code == EPERM
        ? ". " + DeviceAccess.advice(for: device, udevRule: udevRule) : ""
      throw because("\(device) cannot be opened (\(error.text))\(advice)", found)
    }
    defer { close(file) }
    var events: Int32 = -1
    guard ioctl(file, godwit_IIO_GET_EVENT_FD, &events) == 0, events >= 0 else {
      let error = SystemError.last
      throw because(
        error.code == EBUSY
          ? "another program reads the events of \(device); stop it (fuser -v \(device))"
          : "\(device) delivers no events (\(error.text))", found)
    }
    _ = fcntl(events, F_SETFL, O_NONBLOCK)
    return events
  }

  private static let udevRule = "60-godwit-access.rules grants godwit access"

  private func denied(_ error: SystemError, _ file: String) -> PortError {
    guard error.code == EACCES || error.code == EPERM || error.code == EROFS else {
      return because("the driver does not accept \(path(file)) (\(error.text))")
    }
    return because(
      "\(path(file)) may not be written (\(error.text)). "
        + DeviceAccess.advice(for: path(file), udevRule: Self.udevRule))
  }

  private func gone(_ error: SystemError) -> PortError {
    because("it has disappeared (\(error.text)); it is searched again within five minutes")
  }

  private func because(_ reason: String) -> PortError { Self.because(reason, found) }

  private static func because(_ reason: String, _ found: AccelerometerDevice) -> PortError {
    PortError("motion.accelerometer: \(found.name) (\(found.node)): \(reason)")
  }
}

extension SystemError {
  /// The device, or its folder in sysfs, is gone.
  fileprivate var isAbsence: Bool { [ENODEV, ENOENT, ENXIO].contains(code) }
}
