extension RandomAccessCollection {
  /// Where, in an order in which the condition stays true once it is, it is true first; the end if
  /// it never is. Asks of as many elements as the number of all has binary digits.
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
