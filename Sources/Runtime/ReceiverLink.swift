import GNSS
import Ports
import Core
import Records

/// The line to the receiver: opened and closed for the power sequencer, retried when it fails, and
/// decoded into fixes and answers.
public final class ReceiverLink: Endpoint {
  /// An epoch whose end the receiver does not mark ends after this silence.
  private static let epochGap = Seconds(0.25)
  private static let firstRetry = Seconds(2)
  private static let maxRetryPause = Seconds(60)
  /// A host that accepts the connection but sends nothing is abandoned after this.
  private static let connectLimit = Seconds(60)

  public let kind = "receiver"
  /// 64 kB of commands on a slow line cause the most wakes without input.
  public let fruitlessLimit = 2000

  private let port: (any ReceiverPort)?
  private let log: LogChannel
  private var decoder: ReceiverDecoder
  private var state = State.closed
  /// Why it cannot be opened; nil while it can.
  public private(set) var failure: String?
  private var limitation: String?
  /// Doubles until bytes arrive, even while the line is not needed.
  private var retryPause = ReceiverLink.firstRetry
  private var lostBytes = LostBytes()
  public private(set) var bytesRead = 0
  /// When output of the receiver was last received.
  private(set) var lastReceived: BootInstant?

  private enum State {
    /// The line is not needed.
    case closed
    /// It failed, and is opened again at that time.
    case waiting(until: BootInstant)
    case open(OpenLine)

    /// Nil unless it is open.
    var line: OpenLine? { if case .open(let line) = self { line } else { nil } }

    /// Changes the line if it is open.
    mutating func update(_ change: (inout OpenLine) -> Void) {
      guard case .open(var line) = self else { return }
      change(&line)
      self = .open(line)
    }
  }

  private struct OpenLine {
    /// By when the host has to answer; nil once it has.
    var connectBy: BootInstant?
    /// When the open epoch ends; nil: none is open.
    var epochEnds: BootInstant?
    var readScheduler = Gathering()
  }

  init(_ port: (any ReceiverPort)?, decoder: ReceiverDecoder, log: LogChannel) {
    self.port = port
    self.decoder = decoder
    self.log = log
  }

  public var name: String? { port?.name }
  public var counters: DecoderCounters { decoder.counters }
  public var firstRefusals: [StreamRefusal: StreamPlace] { decoder.firstRefusals }
  /// How long a working receiver may be silent after its start; nil where there is none.
  var startTimeout: Seconds? { port?.startTimeout }
  var lineErrors: LineErrors? { port?.lineErrors }

  public var interest: Interest? {
    guard let line = state.line, var interest = port?.interest else { return nil }
    // Until the next scheduled read, which writes as well, the line is not watched.
    if line.readScheduler.due != nil {
      interest.reads = false
      interest.writes = false
    }
    return interest
  }

  public var due: BootInstant? {
    switch state {
    case .closed: nil
    case .waiting(let until): until
    case .open(let line): .earlier(.earlier(line.epochEnds, line.connectBy), readDue)
    }
  }

  /// When the port is read regardless of its descriptor.
  private var readDue: BootInstant? {
    guard let line = state.line else { return nil }
    return line.readScheduler.due ?? port?.due
  }

  // MARK: Input

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    var served = Served(isFruitful: false)
    if case .waiting(let until) = state, now >= until { served.inputs += open(at: now) }
    if isReady || readDue.map({ now >= $0 }) ?? false { read(&served, at: now) }
    if let port, let connectBy = state.line?.connectBy, now >= connectBy {
      let seconds = Int(Self.connectLimit.value)
      let why = "\(port.name) has not answered for \(seconds) s; see systemctl status gpsd"
      served.inputs += lose(.missing(why), at: now)
    }
    if let epochEnds = state.line?.epochEnds, now >= epochEnds {
      state.update { $0.epochEnds = nil }
      served.inputs += fixes { $0.flush(at: now, emit: $1) }.map { .tracker(.fix($0)) }
    }
    return served
  }

  private func read(_ served: inout Served, at now: BootInstant) {
    guard let line = state.line, let port else { return }
    do {
      // A port without a descriptor cannot be watched; it is read when data are available.
      let limit = port.interest == nil ? Gathering.backlog : line.readScheduler.limit(at: now)
      let bytes = try port.read(limit: limit)
      if port.isConnected, line.connectBy != nil { served.inputs.append(finishConnecting()) }
      logLimitation(at: now)
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

  /// More bytes follow soon: they are collected without a wake for each.
  private func gather(
    _ count: Int, _ limit: Int, from port: any ReceiverPort, at now: BootInstant
  ) {
    if let logEvent = lostBytes.takeWarning(of: port.lineErrors, on: port.name, at: now) {
      log.receive(logEvent, now)
    }
    guard port.interest != nil else { return }
    let speed = port.bytesPerSecond
    state.update { $0.readScheduler.read(count, limit: limit, speed: speed, at: now) }
  }

  /// Returns the number of frames with a valid checksum.
  private func decode(
    _ bytes: [UInt8], isRelayed: Bool, _ inputs: inout [Input], at now: BootInstant
  ) -> Int {
    let framesBefore = decoder.counters.validFrames
    let start = inputs.count
    decoder.feed(bytes, at: now) { inputs.append(.tracker(.fix($0))) }
    let hasFixes = inputs.count > start
    let validFrames = Int(decoder.counters.validFrames - framesBefore)
    // Answers of the receiver go before its fixes.
    inputs.insert(contentsOf: decoder.drainAnswers().map { .power(.answer($0)) }, at: start)
    // Messages that a relaying program creates are no sign that the receiver works.
    if !isRelayed || hasFixes {
      lastReceived = now
      inputs.insert(
        .power(.received(validFrames: validFrames, lacksSignals: decoder.lacksSignals)), at: start)
    }
    let epochEnds = decoder.hasOpenEpoch ? now + Self.epochGap : nil
    state.update { $0.epochEnds = epochEnds }
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
  public func fixes(inRecording bytes: [UInt8]?) -> [Fix] {
    fixes { decoder, emit in
      if let bytes {
        decoder.feed(bytes, at: .zero, emit: emit)
      } else {
        decoder.finish(at: .zero, emit: emit)
      }
    }
  }

  // MARK: Requests of the sequencer

  func open(at now: BootInstant) -> [Input] {
    guard let port else { return [.power(.listening(false))] }
    guard state.line == nil else { return [] }
    do {
      try port.open()
    } catch {
      return retry(error, at: now)
    }
    state = .open(OpenLine(connectBy: now + Self.connectLimit))
    logLimitation(at: now)
    guard !port.isConnected else { return [finishConnecting()] }
    return [.power(.listening(false))]
  }

  private func finishConnecting() -> Input {
    state.update { $0.connectBy = nil }
    failure = nil
    return .power(.listening(true))
  }

  /// Drops input from before, including the beginning of a sentence.
  func discardInput(at now: BootInstant) {
    guard state.line != nil else { return }
    port?.discardInput()
    decoder.finish(at: now) { _ in }
  }

  /// Sends a command to the receiver. While the line is not open, nothing is sent and nothing
  /// reported: the sequencer is about to be notified of that.
  ///
  /// - Returns: why it could not be sent. Whether that matters mostly shows in the receiver's
  ///   behaviour.
  func send(_ bytes: [UInt8], at now: BootInstant) -> String? {
    guard state.line != nil else { return nil }
    do {
      try port?.write(bytes)
      return nil
    } catch {
      log.write("receiver-command-failed", error.message, level: .warning, at: now)
      return error.message
    }
  }

  func close(at now: BootInstant) {
    let wasOpen = state.line != nil
    state = .closed
    guard wasOpen, let port else { return }
    port.close()
    logLimitation(at: now)
    // A fragment left by a closed line is no epoch.
    decoder.finish(at: now) { _ in }
  }

  // MARK: Failures

  /// Logs a limitation once while it is unchanged.
  private func logLimitation(at now: BootInstant) {
    guard let text = port?.warning, text != limitation else { return }
    limitation = text
    log.write("receiver-limited", text, level: .warning, at: now)
  }

  private func lose(_ error: PortError, at now: BootInstant) -> [Input] {
    close(at: now)
    return retry(error, at: now)
  }

  private func retry(_ error: PortError, at now: BootInstant) -> [Input] {
    if failure != error.message {
      log.write("receiver-failed", error.message, level: .warning, at: now)
    }
    failure = error.message
    state = .waiting(until: now + retryPause)
    retryPause = min(retryPause * 2, Self.maxRetryPause)
    // If the line is not needed any more, it is not retried.
    return [.power(.listening(false))]
  }
}
