import Glibc
import GodwitSettings
import Platform
import Ports
import Core
import GNSS
import Hardware
import Runtime

/// A port with its decoder, for commands that observe the receiver and have no event loop.
struct ReceiverReader {
  let port: any ReceiverPort
  private(set) var decoder: ReceiverDecoder
  private(set) var firstText = ReceivedText()

  init(_ port: any ReceiverPort, _ settings: ReceiverSettings) {
    self.port = port
    decoder = ReceiverDecoder(options: settings.decoderOptions)
  }

  /// The result of one read.
  struct Received {
    var fixes: [Fix] = []
    var answers: [ReceiverAnswer] = []
    var bytes = 0
    /// Frames with a valid checksum.
    var validFrames = 0
  }

  /// Waits for bytes and reads them; empty if none arrived until `end`, or within a second.
  mutating func read(until end: BootInstant) throws(PortError) -> Received {
    var received = Received()
    // An interruption is noticed within a second.
    let next = min(end, BootClock.now + 1)
    guard port.interest != nil, BootClock.wait(for: port, until: next) else { return received }
    let bytes = try port.read(limit: 65_536)
    received.bytes = bytes.count
    firstText.add(bytes)
    let before = decoder.counters.validFrames
    let now = BootClock.now
    decoder.feed(bytes, at: now) { received.fixes.append($0) }
    received.answers = decoder.drainAnswers()
    received.validFrames = Int(clamping: decoder.counters.validFrames - before)
    try port.decoded(validFrames: received.validFrames, at: now)
    return received
  }
}

/// Another program that has the receiver's device open and would receive part of the bytes.
struct LineUser {
  /// "gpsd (process 812)".
  let name: String
  private let device: String

  /// Nil if no other program is found, or if the receiver has no device of its own.
  init?(_ settings: ReceiverSettings) {
    guard settings.hasOwnDevice, let holder = DeviceUser.find(settings.serial.path) else {
      return nil
    }
    name = holder
    device = settings.serial.path
  }

  var isDaemon: Bool { name.hasPrefix("godwit ") }

  /// The situation and what to do about it.
  var advice: String {
    isDaemon
      ? "\(device) is in use by the daemon (\(name)); stop it first: systemctl stop godwit"
      : "\(device) is also open in \(name), which would receive part of the bytes; stop it. A "
        + "login console: remove console=serial0 from the kernel's command line and disable "
        + "serial-getty. gpsd: set receiver.kind = \"gpsd\""
  }
}
