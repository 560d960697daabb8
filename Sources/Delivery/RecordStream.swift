/// A collector's numbering of a board's records: from 1, without gaps. A store that does not
/// continue from the last number begins another stream, so that no number is used twice.
public struct RecordStream: Hashable, Sendable {
  /// Random letters and digits.
  public let name: String
  /// The last assigned number; 0: none.
  public private(set) var last: Int64

  /// - Parameter name: only its letters and digits are used, 32 at most.
  public init(name: String, last: Int64 = 0) {
    self.name = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(32))
    self.last = max(0, last)
  }

  public mutating func next() -> StreamNumber {
    last += 1
    return StreamNumber(stream: name, number: last)
  }
}

/// The identifier of a record at a collector.
public struct StreamNumber: Hashable, Sendable {
  public let stream: String
  public let number: Int64

  public init(stream: String, number: Int64) {
    self.stream = stream
    self.number = number
  }
}
