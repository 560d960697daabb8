import Glibc
import Core
import ReceiverStandIns
import VirtualDevice

/// The receiver of the laboratory's board: a virtual receiver behind a real serial line, a real
/// GPIO line and a real power monitor. It is silent while the line is low, searches as long as a
/// real one when it is high, and sets its current in the monitor's registers. Its log has every
/// event with its time on the board's clock.
@main struct LabReceiver {
  let options: ReceiverOptions
  let board: VirtualBoard
  let line: any Supply
  let port: any ReceiverEnd
  let registers: StubRegisters?
  private var sensor: MotionPin?
  let log: ReceiverLog
  private var supply: Bool?
  private var shown: GnssDraw?
  private var wasOpen = false

  static func main() {
    do {
      let options = try ReceiverOptions(CommandLine.arguments.dropFirst())
      var receiver = try LabReceiver(options)
      receiver.run()
    } catch {
      let text = Array("lab-receiver: \(error)\n".utf8)
      _ = write(STDERR_FILENO, text, text.count)
      exit(2)
    }
  }

  init(_ options: ReceiverOptions) throws(LabReceiverError) {
    self.options = options
    let started = UTCInstant(nanoseconds: Clock.utc - Clock.boot)
    let groundTruth: any GroundTruth =
      options.followsDay
      ? PlannedTruth(
        DayPlan.townDweller, from: started + Seconds(1e-9 * Double(Clock.boot)), days: 3,
        seed: options.seed)
      : StandingTruth(since: started)
    board = VirtualBoard(
      groundTruth: groundTruth,
      settings: VirtualBoardSettings(
        receiver: VirtualReceiverSettings(model: options.model), coarse: nil,
        sources: options.motion == nil ? [] : [.motion], seed: options.seed),
      bootTime: started)
    if let gadget = options.gadget {
      let both = try GadgetPort(gadget)
      (line, port) = (both, both)
    } else {
      line = SupplyLine(folder: options.line, trace: options.trace)
      port = SerialPort(link: options.link)
    }
    registers = options.bus.map(StubRegisters.init)
    log = try ReceiverLog(path: options.log)
    sensor = options.motion.map { MotionPin(folder: $0, of: board) }
  }

  mutating func run() -> Never {
    // A virtual receiver sends into a closed port, too: unread output is lost below.
    try? board.receiver.open()
    while true {
      let now = BootInstant(nanoseconds: Clock.boot)
      watchPort()
      obeyLine(at: now)
      board.advance(to: now)
      draw(at: now)
      sensor?.follow(board, to: now, log)
      speak(at: now)
      listen(at: now)
      wait()
    }
  }

  /// Update interval of a varying current.
  private static let waveStep: Seconds = 1.9

  private mutating func obeyLine(at now: BootInstant) {
    let isHigh = line.isHigh
    guard isHigh != supply else { return }
    // Bytes sent before the supply was cut are delivered; later ones are not.
    if !isHigh { _ = port.heard() }
    supply = isHigh
    board.advance(to: now)
    try? board.powerSwitch.set(.supply, active: isHigh)
    log.write("line", isHigh ? "1" : "0", at: now)
    log.write("port", port.isOpen ? "held" : "free", at: now)
  }

  /// Writes the current into the monitor's registers after a change of the receiver's state.
  private mutating func draw(at now: BootInstant) {
    let state = board.receiver.gnssState
    let model = board.receiver.model
    let current = model.current(in: state) * (1 + options.swing * Self.wave(at: now))
    let draw = GnssDraw(state: state, current: current, voltage: options.monitoredVoltage)
    guard draw != shown else { return }
    shown = draw
    registers?.show(draw)
    log.write("state", "\(state.rawValue),\(draw.shownAmperes),\(draw.shownVolts)", at: now)
  }

  /// Between -1 and 1 and back within half a minute.
  private static func wave(at now: BootInstant) -> Double {
    let phase = ((now - .zero) / 30).truncatingRemainder(dividingBy: 1)
    return 4 * (phase - 0.5).magnitude - 1
  }

  private func speak(at now: BootInstant) {
    guard let bytes = try? board.receiver.read(limit: 1 << 16), !bytes.isEmpty else { return }
    if !port.send(bytes) { log.write("unheard", "\(bytes.count)", at: now) }
  }

  /// A module without supply must not be sent anything: its pins would feed it.
  private func listen(at now: BootInstant) {
    let heard = port.heard()
    guard !heard.isEmpty else { return }
    if supply == true {
      log.write("heard", "\(heard.count)", at: now)
      try? board.receiver.write(heard)
    } else {
      log.write("driven-unpowered", "\(heard.count)", at: now)
    }
  }

  private mutating func watchPort() {
    let isOpen = port.isOpen
    if wasOpen, !isOpen { port.wasClosed() }
    wasOpen = isOpen
  }

  private func wait() {
    var pause = options.swing > 0 ? min(options.look, Self.waveStep) : options.look
    if let next = board.nextEvent {
      pause = min(pause, next - BootInstant(nanoseconds: Clock.boot))
    }
    line.wait(beside: port.isOpen ? port.descriptor : nil, atMost: pause)
  }
}

/// A wrong argument, or an unavailable part of the board.
struct LabReceiverError: Error, CustomStringConvertible {
  let description: String
}

enum Clock {
  /// Nanoseconds of CLOCK_BOOTTIME.
  static var boot: Int64 { read(CLOCK_BOOTTIME) }
  /// Nanoseconds of CLOCK_REALTIME.
  static var utc: Int64 { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
