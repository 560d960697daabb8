import CLinux
import Glibc
import Ports

/// An open serial device: raw, exclusive, never blocking. Closing is `close()`'s alone, so that the
/// event loop can forget the descriptor first.
struct SerialLine {
  let descriptor: Int32
  private let path: String

  /// Opens and configures the device and throws away what it received while nobody listened.
  init(path: String, baud: Int) throws(ReceiverError) {
    guard let speed = SerialSpeed.code(baud: baud) else {
      let known = SerialSpeed.all.map(String.init).joined(separator: ", ")
      throw .refused("\(path) cannot be set to \(baud) baud; use one of \(known)")
    }
    try SerialFault.checkIsCharacterDevice(path)
    let opened = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { throw SerialFault.opening(path, errno) }
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

  /// Changes the speed and discards input, which was heard at the wrong one.
  func set(baud: Int) throws(ReceiverError) {
    guard let speed = SerialSpeed.code(baud: baud) else {
      throw .refused("\(path) cannot be set to \(baud) baud")
    }
    try configure(speed, baud: baud)
    tcflush(descriptor, TCIFLUSH)
  }

  /// The longest that `close` holds up its caller: a command to sleep at 4800 baud, and its like.
  static let patience: Int32 = 250  // ms

  /// Forgets what has arrived and was not read yet.
  func discardInput() { tcflush(descriptor, TCIFLUSH) }

  /// Output that is already in the kernel is still sent: it may be the command to sleep. What then
  /// is left is dropped, because closing would wait for it with the whole event loop, up to 30 s
  /// on a line that takes nothing (closing_wait in serial_core.c).
  ///
  /// A UART drives its TX pin high when idle, closed or not, and through the RX pin of a module
  /// without power that feeds the module (its manual forbids it). Only hardware ends this: a level
  /// shifter with an enable input (`power_switch.uart`), a resistor of some kilohms in the wire, or
  /// the pin's multiplexer.
  func close(baud: Int) {
    if outputInKernel > 0 {
      poll(nil, 0, Self.sendingTime(bytes: outputInKernel, baud: baud))
      // A pseudo-terminal counts nothing, and would flush what its other end has not yet read.
      if outputInKernel > 0 { tcflush(descriptor, TCOFLUSH) }
    }
    _ = ioctl(descriptor, UInt(TIOCNXCL))
    Glibc.close(descriptor)
  }

  private var outputInKernel: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  /// In milliseconds, `patience` at most. 8N1 takes ten bit times a byte; the hardware may hold
  /// some bytes that the kernel no longer counts.
  static func sendingTime(bytes: Int, baud: Int) -> Int32 {
    min(patience, Int32(clamping: bytes * 10_000 / baud + 5))
  }

  /// The line discipline holds 4095 bytes (n_tty.c), and while it is full up to 64 kB more wait
  /// behind it (tty_buffer.c), which it takes when it is read. What brings less than this has
  /// emptied it; a slow line is not asked twice.
  private static let fullRead = 2048

  /// All that has arrived, at most `limit` bytes; empty when there is nothing now.
  func read(limit: Int) throws(ReceiverError) -> [UInt8] {
    var result: [UInt8] = []
    var failure: Int32 = 0
    var drained = false
    while result.count < limit && failure == 0 && !drained {
      let room = min(4096, limit - result.count)
      result += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        let got = Glibc.read(descriptor, buffer.baseAddress, room)
        count = max(got, 0)
        // An end without bytes (n_tty.c: the line was hung up) is an error like the others.
        failure = got < 0 ? errno : (got == 0 ? EIO : 0)
        drained = count < min(room, Self.fullRead)
      }
    }
    // What came before an error is delivered first; the error is met again at the next call.
    if !result.isEmpty || limit == 0 { return result }
    if failure != EAGAIN && failure != EINTR { throw SerialFault.gone(path, failure) }
    return result
  }

  /// What the driver has counted since its start; nil when it does not count.
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

  /// - Returns: how many bytes the kernel took; fewer than offered when its buffer is full.
  func write(_ bytes: ArraySlice<UInt8>) throws(ReceiverError) -> Int {
    let taken = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if taken >= 0 { return taken }
    if errno == EAGAIN || errno == EINTR { return 0 }
    throw SerialFault.gone(path, errno)
  }

  /// TIOCEXCL refuses later opens, except root's; TIOCGEXCL sees that somebody did so before us,
  /// and flock(2) keeps out a second godwit whoever runs it. gpsd respects TIOCEXCL (serial.c).
  private func claim() throws(ReceiverError) {
    guard isatty(descriptor) == 1 else { throw SerialFault.notALine(path) }
    var exclusive: Int32 = 0
    let asked = withUnsafeMutablePointer(to: &exclusive) {
      ioctl(descriptor, godwit_TIOCGEXCL, UnsafeMutableRawPointer($0))
    }
    if asked == 0 && exclusive != 0 { throw SerialFault.busy(path) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { throw SerialFault.busy(path) }
    if ioctl(descriptor, UInt(TIOCEXCL)) != 0 { throw SerialFault.gone(path, errno) }
  }

  /// Every byte passes unchanged, 8N1, without flow control: receivers wire neither RTS nor CTS,
  /// and binary protocols contain 0x11 and 0x13.
  private func configure(_ speed: speed_t, baud: Int) throws(ReceiverError) {
    var line = termios()
    guard tcgetattr(descriptor, &line) == 0 else { throw SerialFault.gone(path, errno) }
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
    guard tcsetattr(descriptor, TCSANOW, &line) == 0 else { throw SerialFault.gone(path, errno) }
    // tcsetattr(3) succeeds when any of the changes was made.
    var made = termios()
    guard tcgetattr(descriptor, &made) == 0 else { throw SerialFault.gone(path, errno) }
    let raw = made.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0
    guard cfgetospeed(&made) == speed, raw else {
      throw .refused(
        "\(path) does not do \(baud) baud; the driver kept its old settings. Set the receiver and "
          + "receiver.baud to a speed that the adapter has, such as 9600 or 115200")
    }
  }
}
