import Core

/// Finds delayed rows: a recorder without a connection sent them after later ones. In time and
/// place they fit into a gap of the others.
struct DelayedRows {
  /// Minimum length of a gap, relative to the steps around it.
  private static let leastHole = 1.5
  private static let fastest: MetresPerSecond = 100
  private static let usualError: Metres = 100

  /// In the order of time.
  private let rows: [TraceRow]

  init(among rows: [TraceRow]) { self.rows = rows }

  func isLate(_ row: TraceRow) -> Bool {
    let next = rows.partitionPoint { $0.sample.time > row.sample.time }
    guard next > 0, next < rows.count else { return false }
    let (before, after) = (rows[next - 1].sample, rows[next].sample)
    let hole = after.time - before.time
    let around = [next - 2, next].compactMap { index -> Seconds? in
      guard index >= 0, index + 1 < rows.count else { return nil }
      return rows[index + 1].sample.time - rows[index].sample.time
    }
    guard let step = around.max(), hole >= step * Self.leastHole else { return false }
    return [before, after].allSatisfy { Self.isWithinReach(row.sample, of: $0) }
  }

  private static func isWithinReach(_ a: TraceSample, of b: TraceSample) -> Bool {
    Sphere.distance(a.position, b.position) - usualError <= fastest * (a.time - b.time).magnitude
  }
}
