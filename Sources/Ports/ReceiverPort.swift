import Core

/// Where receiver bytes come from: a serial line, gpsd, or the virtual board. NMEA, UBX and gpsd's
/// JSON all pass as bytes; `ReceiverProtocols` tells them apart.
///
/// When it is ready, or due, `read` has work: bytes have arrived, queued output can go on, a
/// connection attempt has ended, or an error is to be reported. An error of `read` leaves what it
/// waits for as it is until `close`.
public protocol ReceiverPort: EventPort {
  /// Whether it is there: a serial line is as soon as it is open, gpsd when it has answered.
  var isConnected: Bool { get }
  /// What it cannot do although it works, and what to do about it; nil when all is well. May change
  /// with every call.
  var warning: String? { get }
  /// Opens and configures it. Returns at once; may be called again after `close` or an error.
  func open() throws(PortError)
  /// Everything that has arrived, at most `limit` bytes; empty when there is nothing now.
  func read(limit: Int) throws(PortError) -> [UInt8]
  /// Reports how the bytes read since the last call were decoded: how many frames with a good
  /// checksum. A port that has to find its speed goes by it; call it after every `read`.
  func decoded(validFrames: Int, at now: BootInstant) throws(PortError)
  /// Whether another program stands between, such as gpsd: it identifies the receiver itself, and
  /// its own messages come among the receiver's.
  var isRelayed: Bool { get }
  /// How long after power-on the first bytes may take. A receiver that has booted sends within a
  /// second or two, a modem within ten.
  var answersWithin: Seconds { get }
  /// The speed of the line now, or the one with which it will be opened; nil where this port has no
  /// say in it.
  var baud: Int? { get }
  /// Bytes a second that the line can bring; nil where what is not read in time waits elsewhere.
  var bytesPerSecond: Int? { get }
  /// What the line's driver has counted since the first opening; nil where nothing is counted.
  var lineErrors: LineErrors? { get }
  /// Forgets what has arrived and was not read yet.
  func discardInput()
  /// Queues bytes for the receiver, in order.
  func write(_ bytes: [UInt8]) throws(PortError)
  /// Gives the device back, so that nothing of it is driven or held. Idempotent.
  func close()
}

extension ReceiverPort {
  /// Most ports are there when `open` has returned.
  public var isConnected: Bool { true }
  public var isRelayed: Bool { false }
  public var answersWithin: Seconds { 10 }
  public var baud: Int? { nil }
  public var bytesPerSecond: Int? { nil }
  public var lineErrors: LineErrors? { nil }
  /// What nothing buffers needs not be forgotten.
  public func discardInput() {}
  /// Most ports do all that they promise, or throw.
  public var warning: String? { nil }
  /// Most ports have no speed to find.
  public func decoded(validFrames: Int, at now: BootInstant) throws(PortError) {}
}

/// What a serial line's driver has counted of bytes that did not arrive as they were sent.
public struct LineErrors: Equatable, Sendable {
  /// How often a byte came before the UART's own buffer had room.
  public var overruns = 0
  /// How often bytes came before the kernel's buffer had room.
  public var bufferOverruns = 0
  /// Bytes without a stop bit: noise, or another speed than the line's.
  public var framing = 0
  public var parity = 0
  /// How often the line was low for longer than a byte.
  public var breaks = 0

  public init() {}

  /// How often bytes were lost because nobody took them in time.
  public var losses: Int { overruns + bufferOverruns }
}
