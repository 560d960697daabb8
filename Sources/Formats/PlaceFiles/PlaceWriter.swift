import Places

/// Writes places as a file: each of them, then `finish`. The same places always give the same
/// bytes.
public protocol PlaceWriter: Sendable {
  /// What has been written so far; the caller may take it and empty it between any two calls.
  var output: [UInt8] { get set }

  /// - Returns: what the format has no room for, so that it is changed or missing in the file.
  mutating func place(_ place: Place) -> [String]
  mutating func finish()
}
