import Config
import Ports
import Quantities
import ReceiverProtocols
import Receivers
import Runtime

/// A receiver asked who it is, live.
struct ReceiverInterview {
  /// What there is at the other end.
  struct Result {
    /// "/dev/gnss-receiver at 9600 baud", "gpsd at localhost:2947".
    var line: String
    /// The speed at which it was understood; nil behind gpsd, or when it was not.
    var baud: Int?
    var protocols: ReceiverProtocolSet = []
    var identity = ReceiverIdentity()
    var asked: [ReceiverQuery] = []
    var answered: Set<ReceiverQuery> = []
    /// What gpsd serves.
    var devices: [GpsdDevice] = []
    var bytes: UInt64 = 0
  }

  let settings: Settings.Receiver

  /// - Parameter patience: how long to wait for a first sign of life, or for gpsd to know its
  ///   receiver.
  func run(patience: Seconds) throws(ReceiverError) -> Result? {
    guard let port = ConfiguredReceiver.port(settings) else { return nil }
    defer { port.close() }
    try port.open()
    var ear = ReceiverEar(port, settings)
    if settings.kind == .gpsd { return try ask(gpsd: &ear, patience: patience) }
    return try ask(serial: &ear, patience: patience)
  }

  private func ask(
    serial ear: inout ReceiverEar, patience: Seconds
  ) throws(ReceiverError) -> Result {
    // The kernel's GNSS device has no speed of ours.
    let isSpeedCertain = settings.kind == .gnss || settings.baud != 0
    var probe = ReceiverProbe(
      at: BootClock.now, listening: patience, isSpeedCertain: isSpeedCertain)
    loop: while ear.port.descriptor != nil {
      switch probe.step(at: BootClock.now) {
      case .finished: break loop
      case .send(let query): try ear.port.write(query.bytes)
      case .listen(let end):
        let heard = try ear.listen(until: end)
        probe.hear(
          heard.answers, bytes: heard.bytes, validFrames: heard.validFrames,
          protocols: ear.decoder.protocols)
      }
    }
    var result = Result(line: ear.port.name)
    result.baud = probe.isHeard ? (ear.port as? SerialReceiver)?.baud : nil
    result.protocols = probe.protocols
    result.identity = probe.identity
    result.asked = probe.asked
    result.answered = probe.answered
    result.bytes = ear.decoder.counters.bytes
    return result
  }

  /// gpsd has asked the receiver already; whoever asked through it would confuse its driver. It
  /// tells more once it has activated the device.
  private func ask(
    gpsd ear: inout ReceiverEar, patience: Seconds
  ) throws(ReceiverError) -> Result {
    var result = Result(line: ear.port.name)
    let end = BootClock.now + patience
    while !result.identity.isCertain, BootClock.now < end, ear.port.descriptor != nil {
      for answer in try ear.listen(until: end).answers {
        result.identity.learn(answer)
        guard case .gpsdDevice(let device) = answer else { continue }
        result.devices.removeAll { $0.path == device.path }
        result.devices.append(device)
      }
    }
    result.protocols = ear.decoder.protocols
    result.bytes = ear.decoder.counters.bytes
    return result
  }
}
