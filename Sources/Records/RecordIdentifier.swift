/// The numbers that visits, destinations and sessions get: they count up from 1.
///
/// Another program may have given a row any number, up to the largest that SQLite holds, after
/// which nothing comes. Such numbers are not counted on from.
public enum RecordIdentifier {
  /// Higher ones are not the tracker's, whose state is JSON and holds whole numbers below 2^53.
  public static let highest: Int64 = 1 << 52

  /// The number after the highest in use.
  public static func following(_ last: Int64) -> Int64 { min(last, highest) + 1 }
}
