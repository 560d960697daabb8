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
