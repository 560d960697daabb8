import Places

/// Writes places as a file: each of them, then `finish`. The same places always give the same
/// bytes.
public protocol PlaceWriter: Sendable {
  /// The output so far; the caller may write it out and clear it between any two calls.
  var output: [UInt8] { get set }

  /// - Returns: what the format cannot hold, so that it is changed or missing in the file.
  mutating func place(_ place: Place) -> [String]
  mutating func finish()
}
