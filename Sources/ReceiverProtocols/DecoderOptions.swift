import Quantities

/// How strict the decoder is, and what it knows of the world before the first byte.
public struct DecoderOptions: Sendable {
  /// Whether an NMEA sentence without `*hh` is believed. NMEA 0183 2.x made the checksum optional
  /// for most sentences; a sentence with a wrong one is always refused.
  public var acceptsMissingChecksums: Bool

  /// No honest date is earlier than this: the day the program was built, or the last stored fix.
  /// An earlier date is taken for a GPS week rollover and moved by 1024 or 2048 weeks; one that
  /// is still too early is refused. Nil for old recordings, whose dates are as they are.
  public var earliestDate: UTCInstant?

  public init(acceptsMissingChecksums: Bool = false, earliestDate: UTCInstant? = nil) {
    self.acceptsMissingChecksums = acceptsMissingChecksums
    self.earliestDate = earliestDate
  }
}
