import Core

/// The board's position from the serving cell.
public struct CellPosition: Hashable, Sendable {
  public let position: Coordinate
  /// The radius that contains the true position with 68 %.
  public let accuracy: Metres

  /// The learnt position has priority over the table, because it comes from recent fixes of this
  /// board.
  ///
  /// - Parameters:
  ///   - learnt: nil: the cell has never served during a fix.
  ///   - table: nil: the imported table does not contain it, or there is no table.
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

  /// Even the small cells of towns have this range.
  private static let smallest: Metres = 300

  /// Fixes scatter around the centre in two directions, so that their root mean square distance is
  /// √2 standard deviations of one. Few fixes do not cover the whole cell.
  private static func learntAccuracy(_ place: CellPlace) -> Metres {
    let deviation = place.range.value / 1.414_2
    let few = 1 + 2 / Double(place.samples)
    return Metres(max(Self.smallest.value, Circle.radiusOf68 * deviation * few))
  }
}
