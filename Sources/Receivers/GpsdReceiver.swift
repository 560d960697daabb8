import CGps
import Glibc
import Ports

/// A receiver that gpsd holds. `read` gives gpsd's JSON lines, each ended by a newline.
///
/// `open` only begins to connect: a slow or dead host never holds up the caller. How the attempt
/// ended is told by `read`; whoever is tired of waiting calls `close`.
///
/// Around a power cut `close` takes the device from gpsd and `open` gives it back
/// (`GpsdSettings.givesBack`): on a line that is silent for 5 s gpsd begins to try all speeds, and
/// it writes to the pins of a module without power (serial.c, libgpsd_core.c).
public final class GpsdReceiver: ReceiverPort {
  /// Commands wait here until gpsd answers.
  static let mostOutput = 65_536

  public let settings: GpsdSettings
  public private(set) var shortcoming: String?
  private var custody: GpsdCustody
  private var adding: GpsdControlRequest?
  private var connection: OpaquePointer?
  private var readiness: Readiness?
  private var phase = Phase.connecting
  private var lines: ArraySlice<UInt8> = []
  private var output: ArraySlice<UInt8> = []
  /// What ends the connection once the lines before it have been read.
  private var failure: ReceiverError?

  private enum Phase {
    case connecting
    /// Connected; gpsd speaks first.
    case greeting
    /// The request to watch is out, not yet acknowledged.
    case asking
    case watching
  }

  public init(_ settings: GpsdSettings) {
    self.settings = settings
    custody = GpsdCustody(settings)
  }

  deinit { close() }

  public var name: String { fault.name }

  public var descriptor: Int32? { readiness?.descriptor }

  public var isRelayed: Bool { true }
  public var isConnected: Bool { connection != nil && phase == .watching }

  public func open() throws(ReceiverError) {
    close()
    try fault.checkSettings()
    // gpsd answers when it has opened the device, which takes it seconds: nobody waits here.
    guard let adding = custody.take() else { return try connect() }
    guard let readiness = Readiness(of: adding.descriptor) else { throw fault.scarcity(errno) }
    self.adding = adding
    self.readiness = readiness
  }

  public func read(limit: Int) throws(ReceiverError) -> [UInt8] {
    if let adding {
      guard let outcome = adding.outcome else { return [] }
      custody.taken(outcome)
      try connect()
      self.adding = nil
      return []
    }
    guard let connection, let readiness else { return [] }
    if phase == .connecting {
      guard try hasConnected(connection) else { return [] }
      guard readiness.replaceMember(with: godwit_gps_socket(connection)) else {
        throw fault.scarcity(errno)
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

  /// gpsd passes the bytes on to the receiver, unless it runs with `-b`. Over the control socket it
  /// says whether it has, within `GpsdControlRequest.patience`. Without one they go the way of any
  /// client, where a refusal comes as a JSON line of class ERROR among the others, and where gpsd
  /// refuses as long as it does not know what kind of receiver it has (a sleeping one).
  public func write(_ bytes: [UInt8]) throws(ReceiverError) {
    guard adding != nil || connection != nil else {
      throw .lost("\(name) is not connected, so nothing can be sent to the receiver; open it first")
    }
    guard output.count + bytes.count <= Self.mostOutput else {
      throw .lost("\(name) has not answered while \(output.count) bytes of commands wait for it")
    }
    output += bytes
    if phase == .watching, let refusal = try send() { throw .refused(refusal) }
  }

  /// Waits up to `GpsdControlRequest.patience` for gpsd to let go of the device.
  public func close() {
    custody.giveBack()
    if let connection {
      if phase == .asking || phase == .watching {
        // Without a watcher gpsd releases the device (after a minute, and unless run with -n).
        _ = godwit_gps_send(connection, GpsdCommand.unwatch)
      }
      godwit_gps_release(connection)
    }
    adding = nil
    connection = nil
    readiness = nil
    phase = .connecting
    lines = []
    output = []
    failure = nil
    shortcoming = custody.shortcoming
  }
}

extension GpsdReceiver {
  private var fault: GpsdFault { GpsdFault(settings: settings) }

  private func connect() throws(ReceiverError) {
    guard let started = godwit_gps_start(settings.host, String(settings.port)) else {
      throw fault.scarcity(errno)
    }
    connection = started
    phase = .connecting
    let attempt = godwit_gps_attempt_descriptor(started)
    if let readiness {
      guard readiness.replaceMember(with: attempt) else { throw fault.scarcity(errno) }
    } else if let readiness = Readiness(of: attempt) {
      self.readiness = readiness
    } else {
      let code = errno
      close()
      throw fault.scarcity(code)
    }
  }

  private func hasConnected(_ connection: OpaquePointer) throws(ReceiverError) -> Bool {
    switch godwit_gps_state(connection) {
    case GODWIT_GPS_CONNECTED: return true
    case GODWIT_GPS_CONNECTING: return false
    default: throw fault.unanswered(String(cString: godwit_gps_failure(connection)))
    }
  }

  /// Moves complete lines from libgps here until there are `limit` bytes.
  ///
  /// - Returns: false when everything that has arrived is now here and fits into the limit.
  private func collect(
    _ connection: OpaquePointer, atLeast limit: Int
  ) throws(ReceiverError) -> Bool {
    while lines.count < limit {
      if let failure {
        // What came before the end is delivered first; the end is seen again at the next call.
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
      let code = errno
      if result == GODWIT_GPS_NOTHING { return false }
      if result > 0 {
        try heard(line)
      } else {
        failure = fault.ended(tooLong: result == GODWIT_GPS_TOO_LONG, code)
      }
    }
    return true
  }

  private func heard(_ line: [UInt8]) throws(ReceiverError) {
    switch phase {
    case .connecting: break
    case .greeting:
      guard line.starts(with: Array("{\"class\":\"VERSION\"".utf8)) else {
        throw fault.stranger(line)
      }
      phase = .asking
      try send(GpsdCommand.watch(device: settings.device))
    case .asking:
      if line.starts(with: Array("{\"class\":\"ERROR\"".utf8)) { throw fault.unserved(line) }
      if line.starts(with: Array("{\"class\":\"WATCH\"".utf8)) {
        phase = .watching
        // Whoever queued the commands has gone on: a refusal can only be logged.
        if let refusal = try send() { shortcoming = refusal }
      }
      heardOfDevices(line)
    case .watching: heardOfDevices(line)
    }
    lines += line
    lines.append(0x0a)
  }

  private func heardOfDevices(_ line: [UInt8]) {
    guard let report = GpsdDevices.report(line) else { return }
    failure = custody.heard(report)
    shortcoming = custody.shortcoming
  }

  /// Sends the receiver's commands that have been waiting.
  ///
  /// - Returns: why gpsd passed some of them not on; the rest is dropped, because commands build on
  ///   each other.
  private func send() throws(ReceiverError) -> String? {
    defer { output = [] }
    let end = GpsdControlRequest.now + GpsdControlRequest.patienceWithMany
    while !output.isEmpty {
      let part = output.prefix(GpsdCommand.mostBytes)
      output = output.dropFirst(part.count)
      switch try custody.pass(part, before: end) {
      case .passed: break
      case .refused(let words): return words
      case .noWay: try send(GpsdCommand.send(part, device: settings.device))
      }
    }
    return nil
  }

  private func send(_ command: String) throws(ReceiverError) {
    guard let connection, godwit_gps_send(connection, command) != 0 else { return }
    throw fault.takesNoCommands(errno)
  }
}
