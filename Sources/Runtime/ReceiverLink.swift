import PowerControl
import Ports
import Quantities
import ReceiverProtocols
import Records

/// The line to the receiver: opened and closed as the power sequencer wants it, tried again when it
/// fails, and read into fixes and answers.
public final class ReceiverLink: Endpoint {
  /// An epoch whose end the receiver does not mark is over after this silence.
  private static let epochGap = Seconds(0.25)
  private static let firstRetry = Seconds(2)
  private static let maxRetryPause = Seconds(60)
  /// A host that takes the connection and then says nothing is given up after this.
  private static let connectLimit = Seconds(60)

  public let kind = "receiver"
  /// Commands of 64 kB that go out as a slow line has room give the most wakes without input.
  public let fruitlessLimit = 2000

  private let port: (any ReceiverPort)?
  private let log: LogChannel
  private var decoder: ReceiverDecoder
  private var isOpen = false
  /// Why it cannot be had; nil while it can.
  public private(set) var failure: String?
  private var limitation: String?
  private var retryAt: BootInstant?
  private var retryPause = ReceiverLink.firstRetry
  private var epochEnds: BootInstant?
  private var gathering = Gathering()
  private var lostBytes = LostBytes()
  private var connectBy: BootInstant?
  public private(set) var bytesRead = 0

  init(_ port: (any ReceiverPort)?, decoder: ReceiverDecoder, log: LogChannel) {
    self.port = port
    self.decoder = decoder
    self.log = log
  }

  public var name: String? { port?.name }
  public var counters: DecoderCounters { decoder.counters }
  public var lineErrors: LineErrors? { port?.lineErrors }

  public var interest: Interest? {
    guard isOpen, var interest = port?.interest else { return nil }
    // Until it is read again, which sends as well, the line is left alone.
    if gathering.due != nil {
      interest.reads = false
      interest.writes = false
    }
    return interest
  }

  public var due: BootInstant? {
    .earlier(.earlier(retryAt, epochEnds), .earlier(readDue, connectBy))
  }

  /// When the port is read whatever its descriptor says.
  private var readDue: BootInstant? { gathering.due ?? (isOpen ? port?.due : nil) }

  // MARK: What it has to say

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    var served = Served(isFruitful: false)
    if let retryAt, now >= retryAt { served.inputs += open(at: now) }
    if isReady || readDue.map({ now >= $0 }) ?? false { read(&served, at: now) }
    if let port, let connectBy, now >= connectBy {
      let seconds = Int(Self.connectLimit.value)
      let why = "\(port.name) has not answered for \(seconds) s; see systemctl status gpsd"
      served.inputs += lose(.missing(why), at: now)
    }
    if let epochEnds, now >= epochEnds {
      self.epochEnds = nil
      served.inputs += fixes { $0.flush(at: now, emit: $1) }.map { .tracker(.fix($0)) }
    }
    return served
  }

  private func read(_ served: inout Served, at now: BootInstant) {
    guard isOpen, let port else { return }
    do {
      // What is no descriptor cannot be watched, and is asked when there is something.
      let limit = port.interest == nil ? Gathering.backlog : gathering.limit(at: now)
      let bytes = try port.read(limit: limit)
      if port.isConnected, connectBy != nil { served.inputs.append(finishConnecting()) }
      tellLimitation(at: now)
      gather(bytes.count, limit, from: port, at: now)
      guard !bytes.isEmpty else { return }
      bytesRead += bytes.count
      retryPause = Self.firstRetry
      let validFrames = decode(bytes, isRelayed: port.isRelayed, &served.inputs, at: now)
      try port.decoded(validFrames: validFrames, at: now)
    } catch {
      served.inputs += lose(error, at: now)
    }
    served.isFruitful = true
  }

  /// Where there were bytes, more come soon: they are waited for without being woken by each.
  private func gather(
    _ count: Int, _ limit: Int, from port: any ReceiverPort, at now: BootInstant
  ) {
    if let logEvent = lostBytes.takeWarning(of: port.lineErrors, on: port.name, at: now) {
      log.receive(logEvent, now)
    }
    guard port.interest != nil else { return }
    gathering.read(count, limit: limit, speed: port.bytesPerSecond, at: now)
  }

  /// Returns how many frames had a good checksum.
  private func decode(
    _ bytes: [UInt8], isRelayed: Bool, _ inputs: inout [Input], at now: BootInstant
  ) -> Int {
    let framesBefore = decoder.counters.validFrames
    let start = inputs.count
    decoder.feed(bytes, at: now) { inputs.append(.tracker(.fix($0))) }
    let hasFixes = inputs.count > start
    let validFrames = Int(decoder.counters.validFrames - framesBefore)
    // What it says of itself comes before its fixes.
    inputs.insert(contentsOf: decoder.takeAnswers().map { .power(.answer($0)) }, at: start)
    // Another program's own words are no sign of life of the receiver.
    if !isRelayed || hasFixes {
      inputs.insert(
        .power(.received(validFrames: validFrames, lacksSignals: decoder.lacksSignals)), at: start)
    }
    epochEnds = decoder.hasOpenEpoch ? now + Self.epochGap : nil
    return validFrames
  }

  private func fixes(
    _ decode: (inout ReceiverDecoder, _ emit: (Fix) -> Void) -> Void
  ) -> [Fix] {
    var fixes: [Fix] = []
    decode(&decoder) { fixes.append($0) }
    return fixes
  }

  /// The fixes in a recording's bytes; nil: at its end.
  func fixes(inRecording bytes: [UInt8]?) -> [Fix] {
    fixes { decoder, emit in
      if let bytes {
        decoder.feed(bytes, at: .zero, emit: emit)
      } else {
        decoder.finish(at: .zero, emit: emit)
      }
    }
  }

  // MARK: What the sequencer wants

  func open(at now: BootInstant) -> [Input] {
    guard let port else { return [.power(.listening(false))] }
    guard !isOpen else { return [] }
    retryAt = nil
    do {
      try port.open()
    } catch {
      return retry(error, at: now)
    }
    isOpen = true
    tellLimitation(at: now)
    guard !port.isConnected else { return [finishConnecting()] }
    connectBy = now + Self.connectLimit
    return [.power(.listening(false))]
  }

  private func finishConnecting() -> Input {
    connectBy = nil
    failure = nil
    return .power(.listening(true))
  }

  /// What has arrived and was not read is from before; so is the beginning of a sentence.
  func discardInput(at now: BootInstant) {
    guard isOpen else { return }
    port?.discardInput()
    decoder.finish(at: now) { _ in }
  }

  /// Tells the receiver something. Where the line could not be opened, the sequencer is about to
  /// hear of that, and nothing needs to be said of what was not sent.
  func send(_ bytes: [UInt8], at now: BootInstant) {
    guard isOpen else { return }
    do {
      try port?.write(bytes)
    } catch {
      // Whether it mattered shows in what the receiver does.
      log.write("receiver-command-failed", error.message, level: .warning, at: now)
    }
  }

  func close(at now: BootInstant) {
    retryAt = nil
    epochEnds = nil
    gathering.stop()
    connectBy = nil
    guard isOpen, let port else { return }
    isOpen = false
    port.close()
    tellLimitation(at: now)
    // What a cut line leaves behind is no epoch.
    decoder.finish(at: now) { _ in }
  }

  // MARK: When it fails

  /// Once, for as long as it is the same.
  private func tellLimitation(at now: BootInstant) {
    guard let text = port?.warning, text != limitation else { return }
    limitation = text
    log.write("receiver-limited", text, level: .warning, at: now)
  }

  private func lose(_ error: ReceiverError, at now: BootInstant) -> [Input] {
    close(at: now)
    return retry(error, at: now)
  }

  private func retry(_ error: ReceiverError, at now: BootInstant) -> [Input] {
    if failure != error.message {
      log.write("receiver-failed", error.message, level: .warning, at: now)
    }
    failure = error.message
    retryAt = now + retryPause
    retryPause = min(retryPause * 2, Self.maxRetryPause)
    // It may be that nobody wants the line any more: then it is not tried again.
    return [.power(.listening(false))]
  }
}
