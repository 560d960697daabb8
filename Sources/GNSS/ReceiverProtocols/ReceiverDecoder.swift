import Core

/// Decodes a receiver's bytes into fixes, for any mixture of NMEA 0183, UBX and gpsd's JSON. The
/// bytes may be split anywhere; memory is bounded for any input.
public struct ReceiverDecoder: Sendable {
  public let options: DecoderOptions
  /// The protocols that have been detected so far.
  public private(set) var protocols: ReceiverProtocolSet = []

  private var log = DecoderLog()
  private var epochs: EpochAssembler
  private let nmea: NMEADecoder
  private var ubx = UBXDecoder()
  private var gpsd: GpsdDecoder
  /// The start of a frame whose end has not arrived.
  private var pendingBytes: [UInt8] = []
  private var isAtLineStart = true
  /// The position of the first unscanned byte.
  private var place = StreamPlace()

  public init(options: DecoderOptions = DecoderOptions()) {
    self.options = options
    epochs = EpochAssembler(options: options)
    nmea = NMEADecoder(options: options)
    gpsd = GpsdDecoder(options: options)
  }

  public var counters: DecoderCounters { log.counters }
  /// The position of the first refusal of each kind.
  public var firstRefusals: [StreamRefusal: StreamPlace] { log.firstRefusals }
  /// Whether sentences have arrived whose epoch may be incomplete.
  public var hasOpenEpoch: Bool { epochs.isOpen }
  /// From the last epoch with this information.
  public var satellitesInView: Int? { epochs.satellitesInView ?? gpsd.satellitesInView }

  /// Whether signal reports have to be enabled: the receiver has sent UBX only, and its last epoch
  /// contained none.
  public var lacksSignals: Bool { protocols == .ubx && epochs.lacksSignals }

  /// The reports of the receiver or gpsd about itself, and its answers to commands, since the last
  /// call, the oldest first. Call it after every `feed`: at most 512 unread answers are kept, and
  /// the oldest are dropped.
  public mutating func drainAnswers() -> [ReceiverAnswer] { log.drainAnswers() }

  /// Decodes received bytes. Every epoch that they complete is emitted, in order, before this
  /// returns; epochs without a fix, too, with mode `none`.
  public mutating func feed(
    _ bytes: UnsafeRawBufferPointer, at instant: BootInstant, emit: (Fix) -> Void
  ) {
    bytes.withMemoryRebound(to: UInt8.self) { feed($0, at: instant, emit: emit) }
  }

  public mutating func feed(
    _ bytes: ArraySlice<UInt8>, at instant: BootInstant, emit: (Fix) -> Void
  ) {
    bytes.withUnsafeBufferPointer { feed($0, at: instant, emit: emit) }
  }

  public mutating func feed(_ bytes: [UInt8], at instant: BootInstant, emit: (Fix) -> Void) {
    bytes.withUnsafeBufferPointer { feed($0, at: instant, emit: emit) }
  }

  /// The line has fallen silent: the last sentence of a cycle has arrived, so that the open epoch
  /// is complete. The decoder learns that end, so that later epochs are emitted without waiting for
  /// silence.
  public mutating func flush(at instant: BootInstant, emit: (Fix) -> Void) {
    epochs.complete(isCycleEnd: true, &log, emit)
  }

  /// The input has ended: held bytes are processed as they are, and the open epoch is emitted.
  public mutating func finish(at instant: BootInstant, emit: (Fix) -> Void) {
    let rest = pendingBytes
    pendingBytes = []
    rest.withUnsafeBufferPointer { _ = scan($0, isFinal: true, at: instant, emit: emit) }
    epochs.complete(isCycleEnd: false, &log, emit)
    log.noteFirstRefusals(at: place)
    isAtLineStart = true
  }

  // MARK: Scanning

  /// The amount of new input that is appended to a held start before it is scanned again: enough
  /// for any NMEA line, little to copy.
  private static let joint = 4096

  private mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, at instant: BootInstant, emit: (Fix) -> Void
  ) {
    log.counters.bytes += UInt64(bytes.count)
    var offset = 0
    while !pendingBytes.isEmpty, offset < bytes.count {
      let before = pendingBytes.count
      let taken = min(Self.joint, bytes.count - offset)
      var joined: [UInt8] = []
      swap(&joined, &pendingBytes)
      joined.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[offset..<offset + taken]))
      let consumed = joined.withUnsafeBufferPointer {
        scan($0, isFinal: false, at: instant, emit: emit)
      }
      if consumed >= before {
        // The held start is consumed; the rest is read in place.
        offset += consumed - before
        joined.removeAll(keepingCapacity: true)
      } else {
        offset += taken
        joined.removeFirst(consumed)
      }
      swap(&joined, &pendingBytes)
    }
    guard offset < bytes.count else { return }
    let rest = UnsafeBufferPointer(rebasing: bytes[offset...])
    let consumed = scan(rest, isFinal: false, at: instant, emit: emit)
    pendingBytes.append(contentsOf: UnsafeBufferPointer(rebasing: rest[consumed...]))
  }

  /// Processes every complete frame, and returns their total length in bytes.
  private mutating func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool, at instant: BootInstant,
    emit: (Fix) -> Void
  ) -> Int {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return 0 }
    var scanner = FrameScanner(bytes, isFinal: isFinal, isAtLineStart: isAtLineStart)
    defer {
      isAtLineStart = scanner.isAtLineStart
      place.line += scanner.linesEnded
      place.byte += scanner.position - start
    }
    while true {
      let frame = scanner.next()
      defer {
        log.noteFirstRefusals(
          at: StreamPlace(
            line: place.line + scanner.linesEnded, byte: place.byte + (scanner.frameStart - start)))
      }
      switch frame {
      case .sentence(let body):
        protocols.insert(.nmea)
        nmea.decode(body, at: instant, &epochs, &log, emit)
      case .unguardedSentence(let body):
        nmea.decode(unguarded: body, at: instant, &epochs, &log, emit)
      case .ubx(let body):
        protocols.insert(.ubx)
        ubx.decode(UBXMessage(body), at: instant, &epochs, &log, emit)
      case .report(let line):
        protocols.insert(.gpsd)
        gpsd.decode(line, at: instant, &log, emit)
      case .rtcm: log.counters.rtcmFrames += 1
      case .comment: log.counters.comments += 1
      case .garbage(let count): log.counters.garbageBytes += UInt64(count)
      case .refused(let refusal): count(refusal)
      case .incomplete: return scanner.position - start
      }
    }
  }

  private mutating func count(_ refusal: Frame.Refusal) {
    switch refusal {
    case .badChecksum: log.counters.badChecksums += 1
    case .overlongLine: log.counters.overlongLines += 1
    case .badUBXChecksum: log.counters.badUBXChecksums += 1
    }
  }
}

/// The protocols that a receiver uses.
public struct ReceiverProtocolSet: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let nmea = ReceiverProtocolSet(rawValue: 1)
  public static let ubx = ReceiverProtocolSet(rawValue: 2)
  public static let gpsd = ReceiverProtocolSet(rawValue: 4)
}

/// The strictness of the decoder, and its knowledge before the first byte.
public struct DecoderOptions: Sendable {
  /// Whether an NMEA sentence without `*hh` is accepted. NMEA 0183 2.x made the checksum optional
  /// for most sentences; a sentence with a wrong one is always refused.
  var acceptsMissingChecksums: Bool

  /// No correct date is earlier than this: the build date of the program, or the last stored fix.
  /// An earlier date counts as a GPS week rollover and is moved by 1024 or 2048 weeks. If it is
  /// still too early, it is refused. Nil for old recordings, whose dates are used as they are.
  public var earliestDate: UTCInstant?

  public init(acceptsMissingChecksums: Bool = false, earliestDate: UTCInstant? = nil) {
    self.acceptsMissingChecksums = acceptsMissingChecksums
    self.earliestDate = earliestDate
  }
}
