import Config
import Glibc
import Ports
import Quantities
import ReceiverProtocols
import Runtime

/// A port with its decoder, listened to until a moment: for commands that look at the receiver and
/// have no loop of their own.
struct ReceiverEar {
  let port: any ReceiverPort
  private(set) var decoder: ReceiverDecoder

  init(_ port: any ReceiverPort, _ settings: Settings.Receiver) {
    self.port = port
    decoder = ReceiverDecoder(
      options: DecoderOptions(
        acceptsMissingChecksums: settings.acceptsMissingChecksums,
        earliestDate: settings.dateFloor))
  }

  /// What came at once.
  struct Heard {
    var fixes: [Fix] = []
    var answers: [ReceiverAnswer] = []
    var bytes = 0
    /// Frames with a good checksum.
    var validFrames = 0
  }

  /// Waits for bytes and takes them; empty when none came until `end`.
  mutating func listen(until end: BootInstant) throws(ReceiverError) -> Heard {
    var heard = Heard()
    let left = end - BootClock.now
    guard left > 0, let descriptor = port.descriptor else { return heard }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let longest = min((left.value * 1000).rounded(.up), Double(Int32.max))
    guard poll(&waiting, 1, Int32(longest)) > 0 else { return heard }
    let bytes = try port.read(limit: 65_536)
    heard.bytes = bytes.count
    let before = decoder.counters.validFrames
    let now = BootClock.now
    decoder.feed(bytes, at: now) { heard.fixes.append($0) }
    heard.answers = decoder.takeAnswers()
    heard.validFrames = Int(clamping: decoder.counters.validFrames - before)
    try port.decoded(validFrames: heard.validFrames, at: now)
    return heard
  }
}
