import Core

/// The source of receiver bytes: a serial line, gpsd, or the virtual board. NMEA, UBX and gpsd's
/// JSON are all passed as bytes; `ReceiverProtocols` distinguishes them.
///
/// When it is ready, or due, `read` has work: bytes have arrived, queued output can continue, a
/// connection attempt has ended, or there is an error. After an error of `read`, the interest is
/// unchanged until `close`.
public protocol ReceiverPort: EventPort {
  /// Whether it is connected: a serial line as soon as it is open, gpsd when it has answered.
  var isConnected: Bool { get }
  /// A limitation of a working port, and the remedy; nil: none. May change with every call.
  var warning: String? { get }
  /// Opens and configures it. Returns at once; may be called again after `close` or an error.
  func open() throws(PortError)
  /// The received bytes, at most `limit`; empty if there are none.
  func read(limit: Int) throws(PortError) -> [UInt8]
  /// Reports how many frames with a valid checksum were decoded from the bytes since the last call.
  /// A port that detects its speed depends on it; call it after every `read`.
  func decoded(validFrames: Int, at now: BootInstant) throws(PortError)
  /// Whether another program, such as gpsd, is in between: it identifies the receiver itself, and
  /// its own messages are mixed with the receiver's.
  var isRelayed: Bool { get }
  /// The longest time from power-on to the first bytes. After booting, a receiver sends output
  /// within one or two seconds, a modem within ten.
  var startTimeout: Seconds { get }
  /// The current speed of the line, or the one with which it will be opened; nil if the port does
  /// not control it.
  var baud: Int? { get }
  /// The line's maximum in bytes per second; nil if unread data is buffered elsewhere.
  var bytesPerSecond: Int? { get }
  /// The driver's error counts since the first opening; nil if nothing is counted.
  var lineErrors: LineErrors? { get }
  /// Discards unread input.
  func discardInput()
  /// Queues bytes for the receiver, in order.
  func write(_ bytes: [UInt8]) throws(PortError)
  /// Releases the device, so that no line of it is driven. Idempotent.
  func close()
}

extension ReceiverPort {
  /// Most ports are connected when `open` has returned.
  public var isConnected: Bool { true }
  public var isRelayed: Bool { false }
  public var startTimeout: Seconds { 10 }
  public var baud: Int? { nil }
  public var bytesPerSecond: Int? { nil }
  public var lineErrors: LineErrors? { nil }
  /// Unbuffered ports have nothing to discard.
  public func discardInput() {}
  /// Most ports work completely, or throw.
  public var warning: String? { nil }
  /// Most ports need no speed detection.
  public func decoded(validFrames: Int, at now: BootInstant) throws(PortError) {}
}

/// The driver's counts of reception errors on a serial line.
public struct LineErrors: Equatable, Sendable {
  /// The number of overruns of the UART's own buffer.
  public var overruns = 0
  /// The number of overruns of the kernel's buffer.
  public var bufferOverruns = 0
  /// Bytes without a stop bit: noise, or a wrong speed.
  public var framing = 0
  public var parity = 0
  /// The number of times that the line was low for longer than a byte.
  public var breaks = 0

  public init() {}

  /// The number of overruns, because the input was not read in time.
  public var losses: Int { overruns + bufferOverruns }
}
