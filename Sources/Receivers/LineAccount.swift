import Ports

/// A driver counts from its start, across everybody who opens the line. This account holds what
/// came while the line was open here, over all openings.
struct LineAccount {
  private var earlier = LineErrors()
  private var atOpening: LineErrors?
  /// Nil as long as no driver has counted anything: a pseudo-terminal and some adapters do not.
  private(set) var total: LineErrors?

  /// - Parameter counts: the driver's; nil when it keeps none.
  mutating func open(_ counts: LineErrors?) {
    atOpening = counts
    update(counts)
  }

  mutating func update(_ counts: LineErrors?) {
    guard let counts, let start = atOpening else { return }
    var sum = earlier
    for field in Self.fields {
      // The driver's counts are of 32 bits and may wrap (struct serial_icounter_struct).
      let growth =
        Int32(truncatingIfNeeded: counts[keyPath: field])
        &- Int32(truncatingIfNeeded: start[keyPath: field])
      sum[keyPath: field] += max(0, Int(growth))
    }
    total = sum
  }

  mutating func close() {
    earlier = total ?? earlier
    atOpening = nil
  }

  private static var fields: [WritableKeyPath<LineErrors, Int>] {
    [\.overruns, \.bufferOverruns, \.framing, \.parity, \.breaks]
  }
}
