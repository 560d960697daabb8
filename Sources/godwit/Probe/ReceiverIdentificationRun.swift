import GodwitSettings
import Platform
import Ports
import Core
import GNSS
import Runtime

/// Identifies the receiver at a port, live.
struct ReceiverIdentificationRun {
  /// The receiver at the other end.
  struct Result {
    /// "/dev/gnss-receiver at 9600 baud", "gpsd at localhost:2947".
    var line: String
    /// The speed at which it was decoded; nil behind gpsd, or if nothing was decoded.
    var baud: Int?
    var protocols: ReceiverProtocolSet = []
    var identity = ReceiverIdentity()
    var queries: [ReceiverQuery] = []
    var answered: Set<ReceiverQuery> = []
    /// The devices that gpsd serves.
    var devices: [GpsdDevice] = []
    var bytes: UInt64 = 0
    var firstText = ReceivedText()
    var signals = SignalReports.unknown
  }

  /// Whether the receiver reports signal strengths.
  enum SignalReports {
    /// No complete epoch was received.
    case unknown
    case missing
    /// It uses UBX only, and the daemon configures it to report them.
    case toBeRequested
    case reported
  }

  /// The first epoch may be incomplete and lack satellite data, so this many are needed.
  private static let epochsNeeded = 2
  /// The time for that at one epoch a second.
  private static let epochsTimeout = Seconds(3)

  let settings: ReceiverSettings

  /// - Parameter timeout: how long to wait for the first output, or for gpsd to know its receiver.
  func run(timeout: Seconds) throws(PortError) -> Result? {
    guard let port = ConfiguredDevices.receiver(settings) else { return nil }
    defer { port.close() }
    try port.open()
    var reader = ReceiverReader(port, settings)
    if settings.kind == .gpsd { return try query(gpsd: &reader, timeout: timeout) }
    return try query(serial: &reader, timeout: timeout)
  }

  private func query(
    serial reader: inout ReceiverReader, timeout: Seconds
  ) throws(PortError) -> Result {
    // The kernel sets the speed of its GNSS device.
    let isSpeedCertain = settings.kind == .gnss || settings.serial.baud != nil
    var probe = ReceiverProbe(
      at: BootClock.now, listening: timeout, isSpeedCertain: isSpeedCertain)
    var epochs: [Fix] = []
    loop: while reader.port.interest != nil, !Interruption.isWanted {
      switch probe.step(at: BootClock.now) {
      case .finished: break loop
      case .send(let query): try reader.port.write(query.bytes)
      case .listen(let end):
        let received = try reader.read(until: end)
        epochs += received.fixes
        probe.receive(
          received.answers, bytes: received.bytes, validFrames: received.validFrames,
          protocols: reader.decoder.protocols)
      }
    }
    var result = Result(line: reader.port.name)
    result.baud = probe.hasValidFrames ? reader.port.baud : nil
    result.protocols = probe.protocols
    result.identity = probe.identity
    result.queries = probe.sentQueries
    result.answered = probe.answeredQueries
    if probe.hasValidFrames {
      try listen(to: &reader, &epochs)
      result.signals = signals(epochs, reader.decoder, probe.identity.commands)
    }
    result.bytes = reader.decoder.counters.bytes
    result.firstText = reader.firstText
    return result
  }

  /// Listens until signal strengths are reported, or enough epochs contain none.
  private func listen(
    to reader: inout ReceiverReader, _ epochs: inout [Fix]
  ) throws(PortError) {
    let end = BootClock.now + Self.epochsTimeout
    while !epochs.contains(where: { $0.signals != nil }), epochs.count < Self.epochsNeeded,
      BootClock.now < end, reader.port.interest != nil, !Interruption.isWanted
    {
      epochs += try reader.read(until: end).fixes
    }
  }

  private func signals(
    _ epochs: [Fix], _ decoder: ReceiverDecoder, _ commands: ReceiverCommands
  ) -> SignalReports {
    if epochs.contains(where: { $0.signals != nil }) { return .reported }
    guard !epochs.isEmpty else { return .unknown }
    return decoder.lacksSignals && !commands.enableSignalReports.isEmpty ? .toBeRequested : .missing
  }

  /// gpsd has identified the receiver already, and queries through gpsd would confuse its driver.
  /// It reports more once it has activated the device.
  private func query(
    gpsd reader: inout ReceiverReader, timeout: Seconds
  ) throws(PortError) -> Result {
    var result = Result(line: reader.port.name)
    var epochs: [Fix] = []
    let end = BootClock.now + timeout
    while !result.identity.isCertain, BootClock.now < end, reader.port.interest != nil,
      !Interruption.isWanted
    {
      let received = try reader.read(until: end)
      epochs += received.fixes
      for answer in received.answers {
        result.identity.learn(answer)
        guard case .gpsdDevice(let device) = answer else { continue }
        result.devices.removeAll { $0.path == device.path }
        result.devices.append(device)
      }
    }
    try listen(to: &reader, &epochs)
    result.signals = signals(epochs, reader.decoder, result.identity.commands)
    result.protocols = reader.decoder.protocols
    result.bytes = reader.decoder.counters.bytes
    return result
  }
}
