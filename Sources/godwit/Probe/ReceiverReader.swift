import Glibc
import GodwitSettings
import Platform
import Ports
import Quantities
import ReceiverProtocols
import Runtime

/// A port with its decoder, for commands that observe the receiver and have no event loop.
struct ReceiverReader {
  let port: any ReceiverPort
  private(set) var decoder: ReceiverDecoder

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

  /// Waits for bytes and reads them; empty when none arrived until `end`.
  mutating func read(until end: BootInstant) throws(ReceiverError) -> Received {
    var received = Received()
    guard port.interest != nil, BootClock.wait(for: port, until: end) else { return received }
    let bytes = try port.read(limit: 65_536)
    received.bytes = bytes.count
    let before = decoder.counters.validFrames
    let now = BootClock.now
    decoder.feed(bytes, at: now) { received.fixes.append($0) }
    received.answers = decoder.takeAnswers()
    received.validFrames = Int(clamping: decoder.counters.validFrames - before)
    try port.decoded(validFrames: received.validFrames, at: now)
    return received
  }
}
