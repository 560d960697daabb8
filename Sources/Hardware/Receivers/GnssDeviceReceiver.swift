import CLinux
import Glibc
import Core
import Platform
import Ports

/// A receiver that the kernel's GNSS subsystem serves as a character device
/// (Documentation/ABI/testing/sysfs-class-gnss).
///
/// While the device is open the receiver has its power: the first open calls the driver, which
/// enables the supply, and the last close disables it, with the backup supply left on
/// (drivers/gnss/core.c, ubx.c, mtk.c). The kernel also sets the speed of the line, from the device
/// tree. It keeps 4096 unread bytes and drops what comes after them, a fifth of a second at
/// 230400 baud.
public final class GnssDeviceReceiver: ReceiverPort {
  /// Limit for commands that wait to be sent.
  static let maxOutput = 65_536
  /// The device has no non-blocking write: the call returns when the bytes have left the UART
  /// (serial.c of drivers/gnss). So at most this many are written at a time, which block the event
  /// loop for a fifteenth of a second at 9600 baud.
  static let slice = 64
  /// After a slice that was not accepted.
  private static let busyPause = Seconds(0.02)

  public let settings: GnssDeviceSettings
  private var device: Int32 = -1
  private var openings = 0
  /// When to send the next slice. The device does not signal room for output: its poll operation
  /// reports input alone (core.c of drivers/gnss).
  public private(set) var due: BootInstant?
  private var output: ArraySlice<UInt8> = []

  public init(_ settings: GnssDeviceSettings) { self.settings = settings }

  deinit { close() }

  public var name: String { settings.path }

  public var interest: Interest? {
    device >= 0 ? Interest(device, opening: openings) : nil
  }

  public func open() throws(PortError) {
    close()
    try GnssDeviceErrorText.check(settings)
    let opened = Glibc.open(settings.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { throw GnssDeviceErrorText.opening(settings.path, .last) }
    // Excludes a second godwit; the kernel would give each a part of the bytes.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(opened)
      throw GnssDeviceErrorText.busy(settings.path)
    }
    if let error = Self.waitingError(opened) {
      Glibc.close(opened)
      throw GnssDeviceErrorText.opening(settings.path, error)
    }
    device = opened
    openings += 1
  }

  /// Why an event loop cannot watch the device; nil: it can. poll(2) does not show it: it treats a
  /// device without a poll operation as ready, and only epoll refuses it (EPERM).
  private static func waitingError(_ descriptor: Int32) -> SystemError? {
    let loop = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard loop >= 0 else { return .last }
    defer { Glibc.close(loop) }
    var event = epoll_event()
    return epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event) == 0 ? nil : .last
  }

  public func read(limit: Int) throws(PortError) -> [UInt8] {
    guard device >= 0 else { return [] }
    // `write` has thrown if the device accepts no commands; its removal is detected below.
    try? send()
    var result: [UInt8] = []
    var failure: Int32 = 0
    while result.count < limit && failure == 0 {
      result += [UInt8](unsafeUninitializedCapacity: limit - result.count) { buffer, count in
        let got = Glibc.read(device, buffer.baseAddress, buffer.count)
        count = max(got, 0)
        // 0: the device was removed.
        failure = got < 0 ? errno : (got == 0 ? ENODEV : 0)
      }
    }
    // Bytes before an error are delivered first; the error recurs at the next call.
    guard result.isEmpty, limit > 0, failure != EAGAIN, failure != EINTR else { return result }
    throw GnssDeviceErrorText.gone(settings.path, SystemError(code: failure))
  }

  public func write(_ bytes: [UInt8]) throws(PortError) {
    guard device >= 0 else {
      throw .lost(
        "\(settings.path) is closed, so nothing can be sent to the receiver; open it first")
    }
    guard output.count + bytes.count <= Self.maxOutput else {
      throw .lost(
        "\(settings.path) still has \(Counted.text(output.count, "byte")) of commands to "
          + "send; try again later"
      )
    }
    output += bytes
    try send()
  }

  public func discardInput() {
    guard device >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    // The kernel's buffer and what may arrive meanwhile; an error recurs in `read`.
    for _ in 0..<4 { guard Glibc.read(device, &buffer, buffer.count) > 0 else { return } }
  }

  /// Waiting commands are dropped; what the kernel has accepted has been sent.
  public func close() {
    if device >= 0 { SystemFiles.closeLocked(device) }
    device = -1
    output = []
    due = nil
  }

  /// Sends one slice; the next follows when the event loop calls again.
  private func send() throws(PortError) {
    guard !output.isEmpty else { return }
    let part = output.prefix(Self.slice)
    let taken = part.withUnsafeBytes { Glibc.write(device, $0.baseAddress, $0.count) }
    if taken < 0 && errno != EAGAIN && errno != EINTR {
      output = []
      due = nil
      throw GnssDeviceErrorText.notWritten(settings.path, .last)
    }
    output = output.dropFirst(max(taken, 0))
    if output.isEmpty { output = [] }
    let pause: Seconds = taken > 0 ? 0 : Self.busyPause
    due = output.isEmpty ? nil : BootClock.now + pause
  }
}

/// How to reach a receiver served by the kernel's GNSS subsystem.
public struct GnssDeviceSettings: Hashable, Sendable {
  /// Such as "/dev/gnss0".
  public var path: String
  /// Where sysfs is mounted.
  var sysfs: String

  public init(path: String) { self.init(path: path, sysfs: "/sys") }

  init(path: String, sysfs: String) {
    self.path = path
    self.sysfs = sysfs
  }
}
