import Core

/// Which visits tell of interest in which type of contents: somebody who often is where there are
/// such contents is taken to follow that category (Chughtai 2015, section 4.2.8).
public struct InterestSources: Hashable, Sendable {
  /// What was longer ago tells nothing of today.
  public static let span: Seconds = .days(90)

  /// Visits to one place.
  public struct Source: Hashable, Sendable {
    public var place: PlaceID
    public var name: String
    public var visits: Int
  }

  private var byType: [String: [Source]] = [:]

  /// - Parameters:
  ///   - stays: of the time that counts.
  ///   - now: until when a stay lasts that has not ended.
  public init(_ stays: PlaceStays, at places: [Place], until now: UTCInstant?) {
    for place in places {
      let visits = stays.sum(of: place.id.description, until: now).visits
      guard visits > 0 else { continue }
      let source = Source(place: place.id, name: place.name, visits: visits)
      for type in Set(place.contents.map(\.type)) where !type.isEmpty {
        byType[type, default: []].append(source)
      }
    }
  }

  /// To all places with contents of each type.
  public var visits: [String: Int] { byType.mapValues { $0.reduce(0) { $0 + $1.visits } } }

  /// Where the visits to contents of a type were, the most of them first.
  public func sources(of type: String) -> [Source] {
    (byType[type] ?? []).sorted { ($1.visits, $0.place) < ($0.visits, $1.place) }
  }
}
