import Core

/// The required accuracy of locations: the three levels of Landsmann 2013, section 4.5.2, "Location
/// Dependent Accuracy", and of the macros in section 4.5.3.
public enum ProximityLevel: Int, Comparable, CaseIterable, Sendable {
  /// `LOCATION_ACCURACY_FAR`, "3 km".
  case far
  /// `LOCATION_ACCURACY_MEDIUM`, "100 m".
  case medium
  /// `LOCATION_ACCURACY_CLOSE`, "Best".
  case close

  /// Program 4.2 with its two variants of the last step.
  public enum Rule: String, CaseIterable, Sendable {
    /// Without lines 42 to 45, as in section 5.4.4: "this has proven to be the main flaw".
    case corrected
    /// With them, as the program was printed and tested in section 5.4.3.
    case published
  }

  /// "inside 100 metres" and "outside of 3 kilometres".
  static let closeDistance: Metres = 100
  static let mediumDistance: Metres = 3000
  /// Added to the accuracy in lines 36 and 43.
  static let allowance: Metres = 10
  /// The share of the distance to the nearest place that has to be covered before a location
  /// counts: "a third of the way", `distanceFilter = smallestDistance * 0.33`.
  static let filterShare = 0.33

  /// Program 4.2, lines 28 to 45.
  /// - Parameters:
  ///   - distance: `smallestDistance`, to the nearest relevant place.
  ///   - accuracy: `horizontalAccuracy`, of the location that it was measured from. One that is not
  ///     a number counts as infinite.
  ///   - current: `currentAccuracyLevel`, used only by the published rule.
  public static func level(
    at distance: Metres, accuracy: Metres, current: ProximityLevel, by rule: Rule
  ) -> ProximityLevel {
    let distance = distance.value.isNaN ? mediumDistance : min(distance, mediumDistance)
    let margin = (accuracy.isFinite ? accuracy : Metres(.infinity)) + allowance
    // Lines 28 to 33.
    var level = far
    if distance < closeDistance {
      level = .close
    } else if distance < mediumDistance {
      level = .medium
    }
    // Lines 36 to 38.
    if distance < margin { level = level.finer }
    // Lines 42 to 45.
    if rule == .published, level > current, distance > margin { level = level.coarser }
    return level
  }

  /// How far the board has to move before the next location counts.
  public static func filter(at distance: Metres) -> Metres {
    (distance.value.isNaN ? mediumDistance : min(distance, mediumDistance)) * filterShare
  }

  /// The largest sufficient error for the level; nil: any error is sufficient, and none is small
  /// enough to switch off. "It is not the minimal required accuracy, but only the desired accuracy"
  /// (section 4.5.2): a limit at the finest level would only withhold what is available with poor
  /// reception.
  public var accuracy: Metres? {
    switch self {
    case .far: Self.mediumDistance
    case .medium: Self.closeDistance
    case .close: nil
    }
  }

  /// `MIN(level + 1, 2)`
  private var finer: ProximityLevel { self == .far ? .medium : .close }
  /// `MAX(level - 1, 0)`
  private var coarser: ProximityLevel { self == .close ? .medium : .far }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
