import Core

/// The known position along the route, and whether the second place was noticed.
public struct LocatedRun {
  /// The accuracy of the last location, second by second; nil before the first.
  public private(set) var accuracies: [Metres?] = []
  /// Whether there was a location within the 20 m of Program 5.1, lines 14 and 15, that was as
  /// accurate as his best ones.
  private var hasNotice = false
  private var passing: Int

  /// "65 metres to 10 metres" (section 5.4.4).
  public static let reached: Metres = 10
  private static let noticeDistance: Metres = 20

  init(passing: Int) { self.passing = passing }

  mutating func took(_ position: Coordinate, within accuracy: Metres) {
    let distance = Sphere.distance(position, LetterboxRoute.places[1])
    if distance < Self.noticeDistance, accuracy <= Self.reached { hasNotice = true }
  }

  mutating func secondPassed(_ accuracy: Metres?) { accuracies.append(accuracy) }

  /// When the second place is passed.
  public var accuracyAtPlace: Metres? {
    accuracies.indices.contains(passing) ? accuracies[passing] : nil
  }

  public var isReached: Bool {
    hasNotice && accuracyAtPlace.map { $0 <= Self.reached } ?? false
  }
}
