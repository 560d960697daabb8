/// The person that the board represents, who sees places and follows some.
public struct Visitor: Hashable, Sendable {
  /// Coming to a place on this many days counts as following, if the place allows that.
  public static let daysOfFollowers = 3
  /// Whoever has the store, under any name: the default where no person is given.
  public static let keeper = "me"

  public let name: String
  public let groups: Set<String>
  /// The places that they visit often.
  private let visited: Set<PlaceID>
  /// The tags of these places.
  private let visitedTags: Set<String>

  /// - Parameter visited: places visited on at least `daysOfFollowers` days.
  public init(_ name: String, groups: Set<String> = [], visited: [Place] = []) {
    self.name = name
    self.groups = groups
    self.visited = Set(visited.map(\.id))
    visitedTags = Set(visited.flatMap(\.tags))
  }

  /// The owner always sees it (Chughtai 2015, section 4.2.5).
  public func sees(_ place: Place) -> Bool {
    switch place.visibility {
    case .open: true
    case .only(let people, let chosen):
      isMeant(by: place.owner) || people.contains(where: isMeant)
        || chosen.contains(where: groups.contains)
    }
  }

  /// Explicitly, or by frequent visits to it or to places with its tags (Chughtai 2015, section
  /// 4.2.8).
  func follows(_ place: Place) -> Bool {
    if place.followers.names.contains(where: isMeant) { return true }
    guard place.followers.isInferredFromVisits else { return false }
    return visited.contains(place.id) || place.tags.contains(where: visitedTags.contains)
  }

  /// Whether the name is theirs, or `keeper`.
  public func isMeant(by word: String) -> Bool { word == name || word == Self.keeper }
}
