import CShims
import Glibc
import Platform
import Ports
import Core

/// A receiver that gpsd holds. `read` returns gpsd's JSON lines, each ended by a newline.
///
/// `open` only begins to connect: a slow or dead host never blocks the caller. `read` reports how
/// the attempt ended; `close` cancels it.
///
/// Around a power cut `close` releases the device from gpsd and `open` adds it again
/// (`GpsdSettings.releasesDevice`): on a line that is silent for 5 s gpsd tries all speeds, and
/// writes to the pins of a module without power (serial.c, libgpsd_core.c).
public final class GpsdReceiver: ReceiverPort {
  /// Limit for commands that wait for gpsd's answer.
  static let maxOutput = 65_536

  public let settings: GpsdSettings
  public private(set) var warning: String?
  private var handover: GpsdHandover
  private var adding: GpsdControlRequest?
  private var connection: OpaquePointer?
  private var phase = Phase.connecting
  private var lines: ArraySlice<UInt8> = []
  private var output: ArraySlice<UInt8> = []
  /// The error that ends the connection once the lines before it have been read.
  private var failure: PortError?

  private enum Phase {
    case connecting
    /// Connected; gpsd sends its version first.
    case greeting
    /// The watch request is sent, not yet acknowledged.
    case asking
    case watching
  }

  public init(_ settings: GpsdSettings) {
    self.settings = settings
    handover = GpsdHandover(settings)
  }

  deinit { close() }

  public var name: String { errors.name }

  public private(set) var interest: Interest?
  /// At once, while something is left here or in libgps's buffer, for which no descriptor becomes
  /// ready.
  public private(set) var due: BootInstant?
  private var openings = 0

  public var isRelayed: Bool { true }
  /// gpsd may try all speeds first, 3 s each.
  public var startTimeout: Seconds { 45 }
  public var isConnected: Bool { connection != nil && phase == .watching }

  public func open() throws(PortError) {
    close()
    try errors.checkSettings()
    // gpsd answers when it has opened the device, after seconds: `read` receives the answer.
    guard let adding = handover.add() else { return try connect() }
    guard adding.descriptor >= 0 else { throw errors.scarcity(.last) }
    self.adding = adding
    wait(for: adding.descriptor)
  }

  public func read(limit: Int) throws(PortError) -> [UInt8] {
    if let adding {
      guard let outcome = adding.outcome else { return [] }
      handover.added(outcome)
      try connect()
      self.adding = nil
      return []
    }
    guard let connection else { return [] }
    due = nil
    if phase == .connecting {
      guard try hasConnected(connection) else { return [] }
      wait(for: godwit_gps_socket(connection))
      phase = .greeting
    }
    let mayHaveMore = try collect(connection, atLeast: limit)
    let result = lines.prefix(limit)
    lines = lines.dropFirst(result.count)
    if lines.isEmpty { lines = [] }
    if mayHaveMore { due = BootClock.now }
    return Array(result)
  }

  /// gpsd passes the bytes on to the receiver, unless it runs with `-b`. Over the control socket it
  /// acknowledges them within `GpsdControlRequest.timeout`. Without that socket they are sent over
  /// the client connection: a refusal comes as a JSON line of class ERROR among the others, and
  /// gpsd refuses as long as it has not detected the type of its receiver (while that is asleep).
  public func write(_ bytes: [UInt8]) throws(PortError) {
    guard adding != nil || connection != nil else {
      throw .lost("\(name) is not connected, so nothing can be sent to the receiver; open it first")
    }
    guard output.count + bytes.count <= Self.maxOutput else {
      throw .lost("\(name) has not answered while \(output.count) bytes of commands wait for it")
    }
    output += bytes
    if phase == .watching, let refusal = try send() { throw .refused(refusal) }
  }

  /// Waits up to `GpsdControlRequest.timeout` for gpsd to release the device.
  public func close() {
    handover.release()
    if let connection {
      if phase == .asking || phase == .watching {
        // Without a watcher gpsd releases the device (after a minute, and unless run with -n).
        _ = godwit_gps_send(connection, GpsdCommand.unwatch)
      }
      godwit_gps_release(connection)
    }
    adding = nil
    connection = nil
    interest = nil
    due = nil
    phase = .connecting
    lines = []
    output = []
    failure = nil
    warning = handover.warning
  }
}

extension GpsdReceiver {
  private var errors: GpsdErrorText { GpsdErrorText(settings: settings) }

  private func connect() throws(PortError) {
    guard let started = godwit_gps_start(settings.host, String(settings.port)) else {
      throw errors.scarcity(.last)
    }
    connection = started
    phase = .connecting
    wait(for: godwit_gps_attempt_descriptor(started))
  }

  /// Gives the loop a new opening, even if the descriptor has the number of an earlier one.
  private func wait(for descriptor: Int32) {
    openings += 1
    interest = Interest(descriptor, opening: openings)
  }

  private func hasConnected(_ connection: OpaquePointer) throws(PortError) -> Bool {
    switch godwit_gps_state(connection) {
    case GODWIT_GPS_CONNECTED: return true
    case GODWIT_GPS_CONNECTING: return false
    default: throw errors.unanswered(String(cString: godwit_gps_failure(connection)))
    }
  }

  /// Copies complete lines from libgps until there are `limit` bytes.
  ///
  /// - Returns: false if everything that has arrived is now here and fits into the limit.
  private func collect(
    _ connection: OpaquePointer, atLeast limit: Int
  ) throws(PortError) -> Bool {
    while lines.count < limit {
      if let failure {
        // Lines before the end are delivered first; the end recurs at the next call.
        if !lines.isEmpty { return true }
        throw failure
      }
      var result: Int32 = 0
      let line = [UInt8](unsafeUninitializedCapacity: Int(GODWIT_GPS_LINE_ROOM)) {
        buffer, count in
        result = buffer.withMemoryRebound(to: CChar.self) {
          godwit_gps_read(connection, $0.baseAddress)
        }
        count = Int(max(result - 1, 0))
      }
      let error = SystemError.last
      if result == GODWIT_GPS_NOTHING { return false }
      if result > 0 {
        try received(line)
      } else {
        failure = errors.ended(tooLong: result == GODWIT_GPS_TOO_LONG, error)
      }
    }
    return true
  }

  private func received(_ line: [UInt8]) throws(PortError) {
    switch phase {
    case .connecting: break
    case .greeting:
      guard line.starts(with: Array("{\"class\":\"VERSION\"".utf8)) else {
        throw errors.notGpsd(line)
      }
      phase = .asking
      try send(GpsdCommand.watch(device: settings.device))
    case .asking:
      if line.starts(with: Array("{\"class\":\"ERROR\"".utf8)) { throw errors.unserved(line) }
      if line.starts(with: Array("{\"class\":\"WATCH\"".utf8)) {
        phase = .watching
        // The call that queued the commands has returned: a refusal can only be logged.
        if let refusal = try send() { warning = refusal }
      }
      receivedDevices(line)
    case .watching: receivedDevices(line)
    }
    lines += line
    lines.append(0x0a)
  }

  private func receivedDevices(_ line: [UInt8]) {
    guard let report = GpsdDevices.report(line) else { return }
    failure = handover.received(report)
    warning = handover.warning
  }

  /// Sends the waiting commands to the receiver.
  ///
  /// - Returns: why gpsd did not pass some of them on; the rest is dropped, because commands build
  ///   on each other.
  private func send() throws(PortError) -> String? {
    defer { output = [] }
    let end = BootClock.now + GpsdControlRequest.timeoutOfMany
    while !output.isEmpty {
      let part = output.prefix(GpsdCommand.maxBytes)
      output = output.dropFirst(part.count)
      switch try handover.pass(part, before: end) {
      case .passed: break
      case .refused(let reason): return reason
      case .unavailable: try send(GpsdCommand.send(part, device: settings.device))
      }
    }
    return nil
  }

  private func send(_ command: String) throws(PortError) {
    guard let connection, godwit_gps_send(connection, command) != 0 else { return }
    throw errors.acceptsNoCommands(.last)
  }
}

/// How to reach a receiver that gpsd holds.
public struct GpsdSettings: Hashable, Sendable {
  /// A name or an address; usually this board itself.
  public var host: String
  var port: UInt16
  /// gpsd's name for the device, if it serves several. Nil: the only one it serves.
  public var device: String?
  /// The socket over which devices are added to gpsd and removed; nil: it is not used. It is only
  /// ever used for a gpsd on this board.
  public var control: String?
  /// Whether gpsd must release the device while this port is closed, because the receiver's power
  /// is cut then. Otherwise gpsd and its other clients keep the device.
  public var releasesDevice: Bool

  public init(
    host: String = "localhost", port: UInt16 = 2947, device: String? = nil, control: String? = nil,
    givesBack: Bool = false
  ) {
    self.host = host
    self.port = port
    self.device = device
    self.control = control
    self.releasesDevice = givesBack
  }

  /// Settings of the section receiver.
  public mutating func declare(_ setting: SettingVisitor) {
    setting("host", &host, .text(bytes: 1...255), "Host of gpsd, for kind \"gpsd\".")
    setting("port", &port, .integer(1...65_535), "Port of gpsd; 2947 is assigned to it.")
    setting(
      "gpsd_device", &device, .optional(.text(bytes: 0...127), noneAt: ""),
      "Device of the receiver, by its name in gpsd (DEVICES in /etc/default/gpsd). Empty: the only "
        + "device of gpsd at the first query.")
    setting(
      "gpsd_control", &control, .optional(.text(bytes: 0...107), noneAt: ""),
      "Control socket of a gpsd on this board. Through it gpsd releases the device before the "
        + "receiver's power is cut and opens it again afterwards, and the receiver gets commands. "
        + "Debian's socket belongs to root: the gpsd.socket drop-in of Godwit opens it to the "
        + "group godwit. Empty: gpsd keeps the device open and probes a dead line.")
  }

  /// Whether gpsd runs on this board, so that its control socket is that of `control`.
  public var isLocal: Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }
}
