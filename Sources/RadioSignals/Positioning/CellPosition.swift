import Core

/// Where the board is by the cell that serves it.
public struct CellPosition: Hashable, Sendable {
  public let position: Coordinate
  /// The radius that holds the truth in 68 %.
  public let accuracy: Metres

  /// What fixes have taught goes before the table: they were this board's own, lately.
  ///
  /// - Parameters:
  ///   - learnt: nil: the cell has never served while there was a fix.
  ///   - table: nil: the imported table does not have it, or there is none.
  public init?(learnt: LearntCell?, table: CellPlace?) {
    if let place = learnt?.place {
      position = place.position
      accuracy = Self.learntAccuracy(place)
    } else if let table {
      position = table.position
      accuracy = table.tableAccuracy
    } else {
      return nil
    }
  }

  /// Even the small cells of towns serve so far.
  private static let smallest: Metres = 300

  /// Fixes around the middle in two directions: their root mean square distance is √2 standard
  /// deviations of one. Few fixes have not seen all of the cell.
  private static func learntAccuracy(_ place: CellPlace) -> Metres {
    let deviation = place.range.value / 1.414_2
    let few = 1 + 2 / Double(place.samples)
    return Metres(max(Self.smallest.value, Circle.radiusOf68 * deviation * few))
  }
}
