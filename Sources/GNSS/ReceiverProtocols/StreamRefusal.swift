/// Why input from a receiver or gpsd is refused.
public enum StreamRefusal: CaseIterable, Hashable, Sendable {
  case badChecksum, missingChecksum, overlongLine, malformedFields
  case badUBXChecksum, malformedFrame, badJSON, gpsdError, garbage
  /// A position of exactly 0/0.
  case nullIsland
  /// A position beyond the poles or the date line.
  case impossiblePlace
  /// The time of a fix was already emitted: a frozen receiver or a repeating relay.
  case repeatedEpoch
  case impossibleDate
}

/// A position in the byte stream; the first line and the first byte are 1.
public struct StreamPlace: Equatable, Sendable {
  public internal(set) var line = 1
  public internal(set) var byte = 1
}

extension DecoderCounters {
  /// The number of refusals with this cause; for `garbage` the number of bytes.
  public func count(of refusal: StreamRefusal) -> UInt64 {
    switch refusal {
    case .badChecksum: badChecksums
    case .missingChecksum: missingChecksums
    case .overlongLine: overlongLines
    case .malformedFields: malformedFields
    case .badUBXChecksum: badUBXChecksums
    case .malformedFrame: malformedFrames
    case .badJSON: badJSON
    case .gpsdError: gpsdErrors
    case .garbage: garbageBytes
    case .nullIsland: nullIslands
    case .impossiblePlace: impossiblePlaces
    case .repeatedEpoch: repeatedEpochs
    case .impossibleDate: impossibleDates
    }
  }
}
