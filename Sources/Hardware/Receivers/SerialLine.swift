import CLinux
import Glibc
import Platform
import Ports
import Core

/// An open serial device: raw, exclusive, non-blocking. It is closed by `close()` only, so that the
/// event loop can remove the descriptor first.
struct SerialLine {
  let descriptor: Int32
  private let path: String

  /// Opens and configures the device and discards what arrived before.
  init(path: String, baud: Int) throws(PortError) {
    guard let speed = SerialSpeed.code(baud: baud) else {
      let known = SerialSpeed.all.map(String.init).joined(separator: ", ")
      throw .refused("\(path) cannot be set to \(baud) baud; use one of \(known)")
    }
    try SerialErrorText.checkIsCharacterDevice(path)
    let opened = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { throw SerialErrorText.opening(path, .last) }
    descriptor = opened
    self.path = path
    do {
      try claim()
      try configure(speed, baud: baud)
    } catch {
      Glibc.close(opened)
      throw error
    }
    tcflush(opened, TCIFLUSH)
  }

  /// Changes the speed and discards input, which was received at the wrong one.
  func set(baud: Int) throws(PortError) {
    guard let speed = SerialSpeed.code(baud: baud) else {
      throw .refused("\(path) cannot be set to \(baud) baud")
    }
    try configure(speed, baud: baud)
    tcflush(descriptor, TCIFLUSH)
  }

  /// The longest that `close` blocks its caller: enough for a sleep command at 4800 baud.
  static let closingTime = Seconds(0.25)

  /// Discards what has arrived and was not read yet.
  func discardInput() { tcflush(descriptor, TCIFLUSH) }

  /// Output that is already in the kernel is still sent: it may be the command to sleep. The rest
  /// is dropped, because closing would block the whole event loop for it, up to 30 s on a line that
  /// accepts nothing (closing_wait in serial_core.c).
  ///
  /// A UART drives its TX pin high when idle, closed or not, and through the RX pin of a module
  /// without power that feeds the module (its manual forbids it). Only hardware prevents this: a
  /// level shifter with an enable input (`power_switch.uart`), a resistor of some kilohms in the
  /// wire, or the pin's multiplexer.
  func close(baud: Int) {
    if outputInKernel > 0 {
      let time = Self.sendingTime(bytes: outputInKernel, baud: baud)
      BootClock.wait(until: BootClock.now + time)
      // A pseudo-terminal counts nothing, and would discard what its other end has not yet read.
      if outputInKernel > 0 { tcflush(descriptor, TCOFLUSH) }
    }
    _ = ioctl(descriptor, UInt(TIOCNXCL))
    SystemFiles.closeLocked(descriptor)
  }

  private var outputInKernel: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  /// `closingTime` at most. 8N1 takes ten bit times a byte; the hardware may hold some bytes that
  /// the kernel no longer counts.
  static func sendingTime(bytes: Int, baud: Int) -> Seconds {
    min(closingTime, Seconds(Double(bytes) * 10 / Double(baud) + 0.005))
  }

  /// The line discipline holds 4095 bytes (n_tty.c), and while it is full up to 64 kB more wait
  /// behind it (tty_buffer.c), which follow when it is read. A shorter read has emptied it; so a
  /// slow line is not read twice.
  private static let fullRead = 2048

  /// All that has arrived, at most `limit` bytes; empty when there is nothing now.
  func read(limit: Int) throws(PortError) -> [UInt8] {
    var result: [UInt8] = []
    var failure: Int32 = 0
    var drained = false
    while result.count < limit && failure == 0 && !drained {
      let room = min(4096, limit - result.count)
      result += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        let got = Glibc.read(descriptor, buffer.baseAddress, room)
        count = max(got, 0)
        // End of file without bytes (n_tty.c: the line was hung up) is handled like an error.
        failure = got < 0 ? errno : (got == 0 ? EIO : 0)
        drained = count < min(room, Self.fullRead)
      }
    }
    // Bytes before an error are delivered first; the error recurs at the next call.
    if !result.isEmpty || limit == 0 { return result }
    if failure != EAGAIN && failure != EINTR {
      throw SerialErrorText.gone(path, SystemError(code: failure))
    }
    return result
  }

  /// The driver's counts since its start; nil if it does not count.
  var errors: LineErrors? {
    var counts = serial_icounter_struct()
    guard ioctl(descriptor, UInt(TIOCGICOUNT), &counts) == 0 else { return nil }
    var errors = LineErrors()
    errors.overruns = Int(counts.overrun)
    errors.bufferOverruns = Int(counts.buf_overrun)
    errors.framing = Int(counts.frame)
    errors.parity = Int(counts.parity)
    errors.breaks = Int(counts.brk)
    return errors
  }

  /// - Returns: how many bytes the kernel accepted; fewer than offered if its buffer is full.
  func write(_ bytes: ArraySlice<UInt8>) throws(PortError) -> Int {
    let taken = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if taken >= 0 { return taken }
    if errno == EAGAIN || errno == EINTR { return 0 }
    throw SerialErrorText.gone(path, .last)
  }

  /// TIOCEXCL refuses later opens, except root's; TIOCGEXCL shows that another program did so
  /// before, and flock(2) excludes a second godwit of any user. gpsd respects TIOCEXCL (serial.c).
  private func claim() throws(PortError) {
    guard isatty(descriptor) == 1 else { throw SerialErrorText.notALine(path) }
    var exclusive: Int32 = 0
    let asked = withUnsafeMutablePointer(to: &exclusive) {
      ioctl(descriptor, godwit_TIOCGEXCL, UnsafeMutableRawPointer($0))
    }
    if asked == 0 && exclusive != 0 { throw SerialErrorText.busy(path) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { throw SerialErrorText.busy(path) }
    if ioctl(descriptor, UInt(TIOCEXCL)) != 0 { throw SerialErrorText.gone(path, .last) }
  }

  /// Every byte passes unchanged, 8N1, without flow control: receivers wire neither RTS nor CTS,
  /// and binary protocols contain 0x11 and 0x13.
  private func configure(_ speed: speed_t, baud: Int) throws(PortError) {
    var line = termios()
    guard tcgetattr(descriptor, &line) == 0 else { throw SerialErrorText.gone(path, .last) }
    cfmakeraw(&line)
    line.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
    line.c_cflag &= ~(tcflag_t(CSTOPB) | tcflag_t(truncatingIfNeeded: UInt32(CRTSCTS)))
    line.c_iflag &= ~(tcflag_t(IXOFF) | tcflag_t(IXANY) | tcflag_t(IGNPAR) | tcflag_t(INPCK))
    // One byte at least: with VMIN 0 the kernel answers 0 both for "nothing yet" and for
    // "unplugged" (n_tty.c); with VMIN 1 and O_NONBLOCK they are EAGAIN and 0.
    withUnsafeMutableBytes(of: &line.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
    }
    cfsetspeed(&line, speed)
    guard tcsetattr(descriptor, TCSANOW, &line) == 0 else {
      throw SerialErrorText.gone(path, .last)
    }
    // tcsetattr(3) succeeds if any of the changes was made.
    var made = termios()
    guard tcgetattr(descriptor, &made) == 0 else { throw SerialErrorText.gone(path, .last) }
    let raw = made.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0
    guard cfgetospeed(&made) == speed, raw else {
      throw .refused(
        "\(path) does not support \(baud) baud; the driver kept its old settings. Set the receiver "
          + "and receiver.baud to a speed of the adapter, such as 9600 or 115200")
    }
  }
}

/// The line speeds that GNSS receivers have from the factory or can be set to.
enum SerialSpeed {
  /// In baud, ascending.
  static let all = [
    4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
  ]

  /// The kernel's code for a speed; nil if it is none of `all`.
  static func code(baud: Int) -> speed_t? {
    switch baud {
    case 4800: speed_t(B4800)
    case 9600: speed_t(B9600)
    case 19_200: speed_t(B19200)
    case 38_400: speed_t(B38400)
    case 57_600: speed_t(B57600)
    case 115_200: speed_t(B115200)
    case 230_400: speed_t(B230400)
    case 460_800: speed_t(B460800)
    case 921_600: speed_t(B921600)
    default: nil
    }
  }
}

/// A driver counts from its start, for every program that opens the line. This sums up what was
/// counted while the line was open here, over all openings.
struct LineStatistics {
  private var earlier = LineErrors()
  private var atOpening: LineErrors?
  /// Nil as long as no driver has counted anything: a pseudo-terminal and some adapters do not.
  private(set) var total: LineErrors?

  /// - Parameter counts: the driver's; nil if it has none.
  mutating func open(_ counts: LineErrors?) {
    atOpening = counts
    update(counts)
  }

  mutating func update(_ counts: LineErrors?) {
    guard let counts, let start = atOpening else { return }
    var sum = earlier
    for field in Self.fields {
      // The driver's counts are of 32 bits and may wrap (struct serial_icounter_struct).
      let growth =
        Int32(truncatingIfNeeded: counts[keyPath: field])
        &- Int32(truncatingIfNeeded: start[keyPath: field])
      sum[keyPath: field] += max(0, Int(growth))
    }
    total = sum
  }

  mutating func close() {
    earlier = total ?? earlier
    atOpening = nil
  }

  private static var fields: [WritableKeyPath<LineErrors, Int>] {
    [\.overruns, \.bufferOverruns, \.framing, \.parity, \.breaks]
  }
}
