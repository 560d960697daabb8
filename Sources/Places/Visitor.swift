/// Whom the board stands for: who sees places, and follows some.
public struct Visitor: Hashable, Sendable {
  /// Who comes to a place on so many days is taken to follow it, where it asks for that.
  public static let daysOfFollowers = 3
  /// Whoever has the store, under whatever name: what is written where nobody has said who.
  public static let keeper = "me"

  public let name: String
  public let groups: Set<String>
  /// Where they come often.
  private let visited: Set<PlaceID>
  /// What such places are.
  private let visitedTags: Set<String>

  /// - Parameter visited: places to which they came on `daysOfFollowers` days at least.
  public init(_ name: String, groups: Set<String> = [], visited: [Place] = []) {
    self.name = name
    self.groups = groups
    self.visited = Set(visited.map(\.id))
    visitedTags = Set(visited.flatMap(\.tags))
  }

  /// Whoever made it sees it in any case (Chughtai 2015, section 4.2.5).
  public func sees(_ place: Place) -> Bool {
    switch place.visibility {
    case .open: true
    case .only(let people, let chosen):
      isMeant(by: place.owner) || people.contains(where: isMeant)
        || chosen.contains(where: groups.contains)
    }
  }

  /// Because they have said so, or because they come often, to it or to what is of its kind
  /// (Chughtai 2015, section 4.2.8).
  public func follows(_ place: Place) -> Bool {
    if place.followers.names.contains(where: isMeant) { return true }
    guard place.followers.isInferredFromVisits else { return false }
    return visited.contains(place.id) || place.tags.contains(where: visitedTags.contains)
  }

  /// Whether a name is theirs.
  public func isMeant(by word: String) -> Bool { word == name || word == Self.keeper }
}
