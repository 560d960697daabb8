extension RandomAccessCollection {
  /// The first index at which the condition is true, or the end. The elements must be partitioned:
  /// once the condition is true, it stays true. Needs O(log n) evaluations.
  @inlinable
  public func partitionPoint(where isPast: (Element) -> Bool) -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let middle = index(low, offsetBy: length / 2)
      if isPast(self[middle]) {
        length /= 2
      } else {
        low = index(after: middle)
        length -= length / 2 + 1
      }
    }
    return low
  }
}
