/// A board's records as a collector numbers them: from 1, without gaps. A store that is not the one
/// that went on from the last number begins another stream, so that no number means two things.
public struct RecordStream: Hashable, Sendable {
  /// Letters and digits, by chance.
  public let name: String
  /// The last number that was given; 0: none.
  public private(set) var last: Int64

  /// - Parameter name: kept to the letters and digits that it has, 32 at most.
  public init(name: String, last: Int64 = 0) {
    self.name = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(32))
    self.last = max(0, last)
  }

  public mutating func next() -> StreamNumber {
    last += 1
    return StreamNumber(stream: name, number: last)
  }
}

/// What a collector knows a record by.
public struct StreamNumber: Hashable, Sendable {
  public let stream: String
  public let number: Int64

  public init(stream: String, number: Int64) {
    self.stream = stream
    self.number = number
  }
}
