import Ports
import Quantities
import ReceiverProtocols
import Records

/// The receiver's line as the conductor sees it.
struct ReceiverLine {
  /// An epoch whose end the receiver does not mark is over after this silence.
  static let idle = Seconds(0.25)
  static let firstRetry = Seconds(2)
  static let longestRetry = Seconds(60)
  /// A host that takes the connection and then says nothing is given up after this.
  static let connectLimit = Seconds(60)

  var isOpen = false
  var failure: String?
  var shortcoming: String?
  var retryAt: BootInstant?
  var retryPause = ReceiverLine.firstRetry
  var idleAt: BootInstant?
  var gathering = Gathering()
  var lostBytes = LostBytes()
  var connectBy: BootInstant?
  var bytesRead = 0

  var due: BootInstant? { [retryAt, idleAt, gathering.due, connectBy].compactMap { $0 }.min() }
}

extension Conductor {
  public var receiverFailure: String? { line.failure }
  public var receiverBytes: Int { line.bytesRead }

  /// Something can be read from the receiver's descriptor. Returns whether anything was.
  @discardableResult
  public func receiverIsReadable(at now: BootInstant) -> Bool {
    guard line.isOpen, let receiver = board.receiver else { return false }
    do {
      // What is no descriptor cannot be watched, and is asked when there is something.
      let limit =
        receiver.descriptor == nil ? Gathering.backlog : line.gathering.limit(at: now)
      let bytes = try receiver.read(limit: limit)
      if receiver.isConnected, line.connectBy != nil { connected(at: now) }
      tellShortcoming(of: receiver, at: now)
      gather(bytes.count, limit, from: receiver, at: now)
      guard !bytes.isEmpty else { return false }
      line.bytesRead += bytes.count
      line.retryPause = ReceiverLine.firstRetry
      let validFrames = decode(bytes, at: now)
      if line.isOpen { try receiver.decoded(validFrames: validFrames, at: now) }
    } catch {
      lose(receiver, error, at: now)
    }
    return true
  }

  /// Time has passed: does what is due on the line.
  func attendReceiver(at now: BootInstant) {
    if let retry = line.retryAt, now >= retry { openReceiver(at: now) }
    if let gather = line.gathering.due, now >= gather { receiverIsReadable(at: now) }
    if let receiver = board.receiver, let limit = line.connectBy, now >= limit {
      let seconds = Int(ReceiverLine.connectLimit.value)
      lose(
        receiver,
        .missing("\(receiver.name) has not answered for \(seconds) s; see systemctl status gpsd"),
        at: now)
    }
    if let idle = line.idleAt, now >= idle {
      line.idleAt = nil
      finishEpoch(at: now)
    }
  }

  /// Where there were bytes, more come soon: they are waited for without being woken by each.
  private func gather(
    _ count: Int, _ limit: Int, from receiver: any ReceiverPort, at now: BootInstant
  ) {
    if let note = line.lostBytes.note(receiver.lineErrors, of: receiver.name, at: now) {
      noted(note, now)
    }
    guard receiver.descriptor != nil else { return }
    let wasGathering = line.gathering.due != nil
    line.gathering.read(count, limit: limit, speed: receiver.bytesPerSecond, at: now)
    let isGathering = line.gathering.due != nil
    if isGathering != wasGathering { receiverPaused(isGathering) }
  }

  private func connected(at now: BootInstant) {
    line.connectBy = nil
    line.failure = nil
    perform(.listening(true), at: now)
  }

  /// Feeds a recording's bytes, or nil for its end. The fixes come at the moments that `clock`
  /// gives them, because a recording has no clock of its own.
  public func replay(_ bytes: [UInt8]?, clock: (Fix) -> BootInstant?) {
    let fixes = collected { decoder, emit in
      if let bytes {
        decoder.feed(bytes, at: .zero, emit: emit)
      } else {
        decoder.finish(at: .zero, emit: emit)
      }
    }
    for fix in fixes { if let now = clock(fix) { replay(fix, at: now) } }
  }

  /// One fix of a recording.
  public func replay(_ fix: Fix, at now: BootInstant) {
    var fix = fix
    fix.received = now
    step(.fix(fix), at: now)
  }

  /// Returns how many frames had a good checksum.
  private func decode(_ bytes: [UInt8], at now: BootInstant) -> Int {
    let framesBefore = decoder.counters.validFrames
    let fixes = collected { $0.feed(bytes, at: now, emit: $1) }
    // Another program's own words are no sign of life of the receiver.
    let validFrames = Int(decoder.counters.validFrames - framesBefore)
    if board.receiver?.isRelayed == false || !fixes.isEmpty {
      perform(.heard(validFrames: validFrames), at: now)
    }
    for answer in decoder.takeAnswers() { perform(.answer(answer), at: now) }
    step(fixes, at: now)
    line.idleAt = line.isOpen && decoder.hasOpenEpoch ? now + ReceiverLine.idle : nil
    return validFrames
  }

  func finishEpoch(at now: BootInstant) {
    step(collected { $0.flush(at: now, emit: $1) }, at: now)
  }

  private func step(_ fixes: [Fix], at now: BootInstant) {
    guard !fixes.isEmpty else { return }
    // The network may have set the system's clock since it was asked last.
    if tracker.clock.witness == nil, let date = systemDate() { step(.systemDate(date), at: now) }
    for fix in fixes { step(.fix(fix), at: now) }
  }

  /// The fixes are stepped through only after the decoder has returned: a step may close the line,
  /// which ends the decoder's input.
  private func collected(
    _ decode: (inout ReceiverDecoder, _ emit: (Fix) -> Void) -> Void
  ) -> [Fix] {
    var fixes: [Fix] = []
    decode(&decoder) { fixes.append($0) }
    return fixes
  }

  func openReceiver(at now: BootInstant) {
    guard let receiver = board.receiver else { return perform(.listening(false), at: now) }
    guard !line.isOpen else { return }
    line.retryAt = nil
    do {
      try receiver.open()
      line.isOpen = true
      let isConnected = receiver.isConnected
      if !isConnected { line.connectBy = now + ReceiverLine.connectLimit }
      receiverDescriptorChanged(receiver.descriptor)
      tellShortcoming(of: receiver, at: now)
      // Last, because the sequencer may close it again.
      if isConnected { connected(at: now) } else { perform(.listening(false), at: now) }
    } catch {
      retry(error, at: now)
    }
  }

  /// What has arrived and was not read is from before; so is the beginning of a sentence.
  func discardInput(at now: BootInstant) {
    guard line.isOpen else { return }
    board.receiver?.discardInput()
    decoder.finish(at: now) { _ in }
  }

  func closeReceiver(at now: BootInstant) {
    line.retryAt = nil
    line.idleAt = nil
    line.gathering.stop()
    line.connectBy = nil
    guard line.isOpen, let receiver = board.receiver else { return }
    line.isOpen = false
    receiverDescriptorChanged(nil)
    receiver.close()
    tellShortcoming(of: receiver, at: now)
    // What a cut line leaves behind is no epoch.
    decoder.finish(at: now) { _ in }
  }

  /// Once, for as long as it is the same.
  private func tellShortcoming(of receiver: any ReceiverPort, at now: BootInstant) {
    guard let shortcoming = receiver.shortcoming, shortcoming != line.shortcoming else { return }
    line.shortcoming = shortcoming
    noted(Note("receiver-limited", shortcoming, level: .warning), now)
  }

  private func lose(_ receiver: any ReceiverPort, _ error: ReceiverError, at now: BootInstant) {
    closeReceiver(at: now)
    retry(error, at: now)
  }

  private func retry(_ error: ReceiverError, at now: BootInstant) {
    if line.failure != error.message {
      noted(Note("receiver-failed", error.message, level: .warning), now)
    }
    line.failure = error.message
    line.retryAt = now + line.retryPause
    line.retryPause = min(line.retryPause * 2, ReceiverLine.longestRetry)
    // It may be that nobody wants the line any more: then it is not tried again.
    perform(.listening(false), at: now)
  }

  /// The coarse source may have an answer. Returns whether it had one.
  @discardableResult
  public func coarseIsReadable(at now: BootInstant) -> Bool {
    guard let coarse = board.coarse else { return false }
    var hasAnswered = false
    do {
      while let observation = try coarse.poll() {
        hasAnswered = true
        step(.coarse(observation, from: coarse.name), at: now)
      }
    } catch {
      step(.scanFailed(source: coarse.name, reason: error.message), at: now)
    }
    return hasAnswered
  }
}
