import CGps
import Glibc
import Ports

/// A receiver that gpsd holds. `read` gives gpsd's JSON lines, each ended by a newline.
///
/// `open` only begins to connect: a slow or dead host never holds up the caller. How the attempt
/// ended is told by `read`; whoever is tired of waiting calls `close`.
public final class GpsdReceiver: ReceiverPort {
  /// Commands wait here until gpsd answers.
  static let mostOutput = 16_384

  public let settings: GpsdSettings
  private var connection: OpaquePointer?
  private var readiness: Readiness?
  private var phase = Phase.connecting
  private var lines: ArraySlice<UInt8> = []
  private var output: ArraySlice<UInt8> = []

  private enum Phase {
    case connecting
    /// Connected; gpsd speaks first.
    case greeting
    /// The request to watch is out, not yet acknowledged.
    case asking
    case watching
  }

  public init(_ settings: GpsdSettings) { self.settings = settings }

  deinit { close() }

  public var name: String {
    "gpsd at \(address)" + (settings.device.map { " (\($0))" } ?? "")
  }

  public var descriptor: Int32? { readiness?.descriptor }

  public var isRelayed: Bool { true }
  public var isConnected: Bool { connection != nil && phase == .watching }

  public func open() throws(ReceiverError) {
    close()
    try checkSettings()
    guard let started = godwit_gps_start(settings.host, String(settings.port)) else {
      throw scarcity(errno)
    }
    connection = started
    phase = .connecting
    guard let readiness = Readiness(of: godwit_gps_attempt_descriptor(started)) else {
      let code = errno
      close()
      throw scarcity(code)
    }
    self.readiness = readiness
  }

  public func read(limit: Int) throws(ReceiverError) -> [UInt8] {
    guard let connection, let readiness else { return [] }
    if phase == .connecting {
      guard try hasConnected(connection) else { return [] }
      guard readiness.replaceMember(with: godwit_gps_socket(connection)) else {
        throw scarcity(errno)
      }
      phase = .greeting
    }
    let mayHaveMore = try collect(connection, atLeast: limit)
    let result = lines.prefix(limit)
    lines = lines.dropFirst(result.count)
    if lines.isEmpty { lines = [] }
    // What is left here or in libgps's buffer makes no descriptor readable; but a socket that can
    // be written to is ready at once.
    readiness.expect(output: mayHaveMore)
    return Array(result)
  }

  /// gpsd passes the bytes on to the receiver, unless it runs with `-b`. A refusal comes as a JSON
  /// line of class ERROR among the others.
  public func write(_ bytes: [UInt8]) throws(ReceiverError) {
    guard connection != nil else {
      throw .lost("\(name) is not connected, so nothing can be sent to the receiver; open it first")
    }
    guard output.count + bytes.count <= Self.mostOutput else {
      throw .lost("\(name) has not answered while \(output.count) bytes of commands wait for it")
    }
    output += bytes
    if phase == .watching { try send() }
  }

  public func close() {
    if let connection {
      if phase == .asking || phase == .watching {
        // Without a watcher gpsd releases the device (after a minute, and unless run with -n).
        _ = godwit_gps_send(connection, GpsdCommand.unwatch)
      }
      godwit_gps_release(connection)
    }
    connection = nil
    readiness = nil
    phase = .connecting
    lines = []
    output = []
  }
}

extension GpsdReceiver {
  private var address: String {
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    return "\(host):\(settings.port)"
  }

  private func checkSettings() throws(ReceiverError) {
    // libgps takes "shared memory" and "DBUS export" as other ways to gpsd.
    let isHost = settings.host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    guard isHost && !settings.host.isEmpty && settings.host.utf8.count <= 253 else {
      throw .refused(
        "\"\(printable(settings.host.utf8))\" is not a host name; set receiver.host to gpsd's "
          + "host, such as localhost")
    }
    if let device = settings.device, !GpsdCommand.isDeviceName(device) {
      throw .refused(
        "\"\(printable(device.utf8))\" is not a device that gpsd can serve; set receiver.device to "
          + "its full path, at most \(GpsdCommand.mostDeviceBytes) bytes")
    }
  }

  private func hasConnected(_ connection: OpaquePointer) throws(ReceiverError) -> Bool {
    switch godwit_gps_state(connection) {
    case GODWIT_GPS_CONNECTED: return true
    case GODWIT_GPS_CONNECTING: return false
    default:
      let reason = String(cString: godwit_gps_failure(connection))
      throw .missing(
        "\(name) does not answer (\(reason)); start it (systemctl start gpsd) or correct "
          + "receiver.host and receiver.port")
    }
  }

  /// Moves complete lines from libgps here until there are `limit` bytes.
  ///
  /// - Returns: false when everything that has arrived is now here and fits into the limit.
  private func collect(
    _ connection: OpaquePointer, atLeast limit: Int
  ) throws(ReceiverError) -> Bool {
    while lines.count < limit {
      var result: Int32 = 0
      let line = [UInt8](unsafeUninitializedCapacity: Int(GODWIT_GPS_LINE_ROOM)) {
        buffer, count in
        result = buffer.withMemoryRebound(to: CChar.self) {
          godwit_gps_read(connection, $0.baseAddress)
        }
        count = Int(max(result - 1, 0))
      }
      let code = errno
      if result > 0 {
        try heard(line)
        continue
      }
      if result == GODWIT_GPS_NOTHING { return false }
      // What came before the end is delivered first; the end is seen again at the next call.
      if !lines.isEmpty { return true }
      throw ended(tooLong: result == GODWIT_GPS_TOO_LONG, code)
    }
    return true
  }

  private func heard(_ line: [UInt8]) throws(ReceiverError) {
    switch phase {
    case .connecting, .watching: break
    case .greeting:
      guard line.starts(with: Array("{\"class\":\"VERSION\"".utf8)) else {
        throw .refused(
          "\(address) is not gpsd: it said \"\(printable(line))\"; correct receiver.host and "
            + "receiver.port")
      }
      phase = .asking
      try send(GpsdCommand.watch(device: settings.device))
    case .asking:
      if line.starts(with: Array("{\"class\":\"ERROR\"".utf8)) {
        throw .missing(
          "\(name) does not serve this receiver: \(printable(line)); add it to DEVICES in "
            + "/etc/default/gpsd or with gpsdctl add")
      }
      if line.starts(with: Array("{\"class\":\"WATCH\"".utf8)) {
        phase = .watching
        try send()
      }
    }
    lines += line
    lines.append(0x0a)
  }

  /// Sends the receiver's commands that have been waiting.
  private func send() throws(ReceiverError) {
    while !output.isEmpty {
      let part = output.prefix(GpsdCommand.mostBytes)
      output = output.dropFirst(part.count)
      try send(GpsdCommand.send(part, device: settings.device))
    }
    output = []
  }

  private func send(_ command: String) throws(ReceiverError) {
    guard let connection, godwit_gps_send(connection, command) != 0 else { return }
    throw .lost("\(name) takes no commands (\(systemMessage(errno))); see systemctl status gpsd")
  }

  /// The system had no thread, memory or descriptor for the connection.
  private func scarcity(_ code: Int32) -> ReceiverError {
    if code == EAGAIN {
      return .missing(
        "\(name) has not answered several earlier attempts, which still wait; is the host "
          + "reachable?"
      )
    }
    return .missing(
      "\(name) cannot be tried just now (\(systemMessage(code))); close other programs or try again"
    )
  }

  private func ended(tooLong: Bool, _ code: Int32) -> ReceiverError {
    if tooLong {
      return .lost(
        "\(name) sent a line of more than 20 kB, which gpsd never does; correct "
          + "receiver.host and receiver.port"
      )
    }
    let reason = code == 0 ? "it ended the connection" : systemMessage(code)
    return .lost("\(name) is gone (\(reason)); unless it is restarting, see systemctl status gpsd")
  }

  /// The beginning of what somebody else wrote, safe for a log.
  private func printable(_ bytes: some Collection<UInt8>) -> String {
    let text = bytes.prefix(120).map { $0 < 0x20 || $0 > 0x7e ? UInt8(ascii: "?") : $0 }
    return String(decoding: text, as: UTF8.self) + (bytes.count > 120 ? "..." : "")
  }
}
