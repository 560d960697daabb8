import Core

/// Visits as a sign of interest in a type of contents: people who are often where there are such
/// contents are assumed to follow that category (Chughtai 2015, section 4.2.8).
public struct InterestSources: Hashable, Sendable {
  /// Earlier visits do not count.
  public static let span: Seconds = .days(90)

  /// Visits to one place.
  public struct Source: Hashable, Sendable {
    public var place: PlaceID
    public var name: String
    public var visits: Int
  }

  private var byType: [String: [Source]] = [:]

  /// - Parameters:
  ///   - stays: of the time span.
  ///   - now: the assumed end of a stay in progress.
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

  /// The visits to all places with contents of each type.
  public var visits: [String: Int] { byType.mapValues { $0.reduce(0) { $0 + $1.visits } } }

  /// The places of the visits to contents of a type, the most visited first.
  public func sources(of type: String) -> [Source] {
    (byType[type] ?? []).sorted { ($1.visits, $0.place) < ($0.visits, $1.place) }
  }
}
